# Writes the YAML document of standard input as JSON, by the core schema of YAML 1.2 (section 10.3).
#
# Arguments: the lengths of the documents in bytes, with commas, the seconds of processor time, the limit of values. Standard input stays
# open as long as the process lives that asks for the conversion: its end ends this one, too. Several documents are written as
# one array.

require "psych"
require "json"

LENGTHS = ARGV[0].split(",").map(&:to_i)
SECONDS, LIMIT = ARGV[1..-1].map(&:to_i)
CORE = "tag:yaml.org,2002:"

def fail_with(reason)
  STDERR.puts reason
  STDERR.flush
  exit!(1)
end

# A tree of nodes of limited size.
class Tree < Psych::TreeBuilder
  %i[scalar alias start_sequence start_mapping].each do |event|
    define_method(event) do |*arguments|
      @count = (@count || 0) + 1
      fail_with "it has more than #{LIMIT} values" if @count > LIMIT
      super(*arguments)
    end
  end
end

# Values of nodes. Each node is read once, in the order of the document, so that an alias means the last anchor before it.
class Converter
  def initialize
    @anchors = {}
    @known = {}.compare_by_identity
    @members = {}.compare_by_identity
    @merged = 0
  end

  # The value of a node, and how many values are in it.
  def convert(node)
    node = target(node)
    unless @known.key?(node)
      @anchors[node.anchor] = node if node.anchor
      @known[node] = [nil, LIMIT + 1]
      @known[node] = contents(node)
    end
    fail_with "its aliases make more than #{LIMIT} values of it" if @known[node][1] > LIMIT
    @known[node]
  end

  private

  def target(node)
    return node unless node.is_a?(Psych::Nodes::Alias)

    @anchors[node.anchor] || fail_with("there is no anchor #{node.anchor}")
  end

  def contents(node)
    return [scalar(node), 1] if node.is_a?(Psych::Nodes::Scalar)
    return unknown(node) unless [nil, "!", CORE + "seq", CORE + "map"].include?(node.tag)

    if node.is_a?(Psych::Nodes::Sequence)
      parts = node.children.map { |child| convert(child) }
      return [parts.map(&:first), 1 + parts.sum(&:last)]
    end
    parts = @members[node] = pairs(node)
    [parts.transform_values(&:first), 1 + parts.values.sum(&:last)]
  end

  # The members of a mapping: its own, then those of the mappings that it merges, of which the first wins.
  def pairs(node)
    own = {}
    sources = []
    node.children.each_slice(2) do |key, child|
      key = target(key)
      fail_with "a key is not a text" unless key.is_a?(Psych::Nodes::Scalar)
      @anchors[key.anchor] = key if key.anchor
      if key.value == "<<" && key.plain && key.tag.nil?
        sources += merged(child)
      elsif own.key?(key.value)
        fail_with "line #{key.start_line + 1} has the key #{key.value} again, of which one would be lost"
      else
        own[key.value] = convert(child)
      end
    end
    sources.each do |source|
      @merged += source.size
      fail_with "its merge keys make more than #{LIMIT} values of it" if @merged > LIMIT
      own = source.merge(own)
    end
    own
  end

  # The members of the mappings of a merge key.
  def merged(child)
    child = target(child)
    convert(child)
    nodes = child.is_a?(Psych::Nodes::Sequence) ? child.children.map { |part| target(part) } : [child]
    nodes.map { |source| @members[source] || fail_with("a merge key needs mappings") }
  end

  def unknown(node)
    fail_with "the tag #{node.tag} is not one of JSON's types"
  end

  def scalar(node)
    case node.tag
    when nil then node.plain ? plain(node.value) : node.value
    when "!", CORE + "str" then node.value
    when CORE + "null", CORE + "bool", CORE + "int", CORE + "float" then plain(node.value)
    else unknown(node)
    end
  end

  def plain(text)
    case text
    when "", "~", /\A(?:null|Null|NULL)\z/ then nil
    when /\A(?:true|True|TRUE)\z/ then true
    when /\A(?:false|False|FALSE)\z/ then false
    when /\A[-+]?[0-9]{1,400}\z/ then text.to_i
    when /\A0o[0-7]{1,400}\z/ then text[2..-1].to_i(8)
    when /\A0x[0-9a-fA-F]{1,400}\z/ then text.hex
    when /\A[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\z/
      text.sub(/\.(?=[eE]|\z)/, "").to_f
    else text
    end
  end
end

# Enforced by the system, even where no other thread has a turn.
Process.setrlimit(Process::RLIMIT_CPU, SECONDS, SECONDS + 1)
text = STDIN.read(LENGTHS.sum).to_s
exit!(3) if text.bytesize < LENGTHS.sum
Thread.new do
  nil while STDIN.read(1)
  exit!(3)
end
begin
  start = 0
  # The limits are for each document.
  values = LENGTHS.map do |length|
    parser = Psych::Parser.new(Tree.new)
    parser.parse(text.byteslice(start, length).force_encoding("UTF-8"))
    start += length
    document = parser.handler.root.children.first
    document ? Converter.new.convert(document.root).first : nil
  end
  STDOUT.write(JSON.generate(values.length == 1 ? values[0] : values, max_nesting: 601))
  STDOUT.flush
rescue SystemStackError, JSON::NestingError
  fail_with "it is nested too deeply"
rescue Psych::Exception, JSON::GeneratorError, ArgumentError => error
  fail_with error.message.split.join(" ")
end
exit!(0)
