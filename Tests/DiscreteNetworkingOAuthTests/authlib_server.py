"""An authorization server of authlib's, for OAuthServerTests. Prints its port, and ends when its input does."""
import os
import sys
import threading
os.environ['AUTHLIB_INSECURE_TRANSPORT'] = '1'
from flask import Flask, request, jsonify
from werkzeug.serving import make_server
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import grants, ClientMixin, AuthorizationCodeMixin, TokenMixin
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialMixin
from authlib.oauth2.rfc9207 import IssuerParameter

def issuer(): return f'http://127.0.0.1:{web.port}'
class User:
    def __init__(self, id): self.id = id
    def get_user_id(self): return self.id
class Client(ClientMixin):
    def __init__(self, id, secret, method): self.id, self.secret, self.method = id, secret, method
    def get_client_id(self): return self.id
    def get_default_redirect_uri(self): return 'com.example.shop:/callback'
    def get_allowed_scope(self, scope): return scope
    def check_redirect_uri(self, uri): return uri == 'com.example.shop:/callback'
    def check_client_secret(self, secret): return secret == self.secret
    def check_endpoint_auth_method(self, method, endpoint): return method == self.method
    def check_response_type(self, type): return type == 'code'
    def check_grant_type(self, type): return True
clients = {c.id: c for c in [
    Client('app', None, 'none'), Client('daemon', 'd4emon-_.', 'client_secret_basic'), Client('web', 's3cr3t', 'client_secret_post')]}
codes, tokens, devices, log = {}, [], {}, []
class Code(dict, AuthorizationCodeMixin):
    def get_redirect_uri(self): return self['redirect_uri']
    def get_scope(self): return self['scope']
class Token(TokenMixin):
    def __init__(self, data, client, user): self.data, self.client, self.user, self.revoked = data, client, user, False
    def check_client(self, client): return self.client is client
    def get_scope(self): return self.data.get('scope', '')
    def get_expires_in(self): return self.data['expires_in']
    def is_expired(self): return False
    def is_revoked(self): return self.revoked
    def get_user(self): return self.user
    def get_client(self): return self.client
class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']
    def save_authorization_code(self, code, request):
        codes[code] = Code(code=code, client=request.client.id, redirect_uri=request.payload.redirect_uri, scope=request.payload.scope,
            user=request.user, challenge=request.payload.data.get('code_challenge'), method=request.payload.data.get('code_challenge_method'))
    def query_authorization_code(self, code, client):
        found = codes.get(code)
        if found and found['client'] == client.id:
            found.code_challenge, found.code_challenge_method = found['challenge'], found['method']
            return found
    def delete_authorization_code(self, code): codes.pop(code['code'])
    def authenticate_user(self, code): return code['user']
class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']
    INCLUDE_NEW_REFRESH_TOKEN = True
    def authenticate_refresh_token(self, text):
        for token in tokens:
            if token.data.get('refresh_token') == text and not token.revoked: return token
    def authenticate_user(self, token): return token.user
    def revoke_old_credential(self, token): token.revoked = True
class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post']
    def query_token(self, text, hint):
        for token in tokens:
            if text in (token.data.get('access_token'), token.data.get('refresh_token')): return token
    def revoke_token(self, token, request): token.revoked = True
class DeviceCode(dict, DeviceCredentialMixin):
    def get_client_id(self): return self['client_id']
    def get_scope(self): return self.get('scope') or ''
    def get_user_code(self): return self['user_code']
    def is_expired(self): return False
class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ['none']
    def get_verification_uri(self): return issuer() + '/device'
    def save_device_credential(self, client_id, scope, data): devices[data['device_code']] = DeviceCode(data, client_id=client_id, scope=scope, asked=0)
class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ['none']
    def query_device_credential(self, code): return devices.get(code)
    def query_user_grant(self, user_code):
        device = next(d for d in devices.values() if d['user_code'] == user_code)
        # The third question comes after the user has decided.
        device['asked'] += 1
        return None if device['asked'] < 4 else (User('ann'), device.get('decision', True))
    def should_slow_down(self, device): return device['asked'] == 2
class Issuer(IssuerParameter):
    def get_issuer(self): return issuer()
app = Flask(__name__)
def save(data, request): tokens.append(Token(data, request.client, request.user))
server = AuthorizationServer(app, query_client=clients.get, save_token=save)
app.config['OAUTH2_REFRESH_TOKEN_GENERATOR'] = True
server.load_config(app.config)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(Revocation)
server.register_endpoint(DeviceEndpoint)
server.register_extension(Issuer())
@app.before_request
def note(): log.append([request.method, request.path, dict(request.form), request.headers.get('Authorization'), request.headers.get('Cookie')])
@app.get('/authorize')
def authorize():
    user = None if request.args.get('login_hint') == 'nobody' else User(request.args.get('login_hint', 'ann'))
    grant = server.get_consent_grant(end_user=user)
    return server.create_authorization_response(grant=grant, grant_user=user)
@app.post('/token')
def token(): return server.create_token_response()
@app.post('/revoke')
def revoke(): return server.create_endpoint_response('revocation')
@app.post('/device_authorization')
def device(): return server.create_endpoint_response('device_authorization')
@app.get('/orders')
def orders():
    text = (request.headers.get('Authorization') or '').removeprefix('Bearer ')
    for token in tokens:
        if token.data['access_token'] == text and not token.revoked: return jsonify(user=token.user.id)
    return jsonify(error='invalid_token'), 401
@app.get('/log')
def show(): return jsonify(log=log, tokens=[[t.data.get('access_token'), t.data.get('refresh_token'), t.revoked] for t in tokens])
@app.post('/reset')
def reset():
    for known in (codes, tokens, devices, log): known.clear()
    return jsonify({})
@app.post('/expire')
def expire():
    for token in tokens: token.data['access_token'] += ' expired'
    return jsonify({})
@app.post('/deny')
def deny():
    for device in devices.values(): device['decision'] = False
    return jsonify({})
web = make_server('127.0.0.1', 0, app, threaded=True)
threading.Thread(target=web.serve_forever, daemon=True).start()
print(web.port, flush=True)
sys.stdin.read()
