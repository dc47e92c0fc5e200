// finds: cannot find type 'URL' in scope
func address() -> URL? { nil }
