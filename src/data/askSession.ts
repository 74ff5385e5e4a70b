/*
 * Runs while the workspace's scripts still load, and imports none of them: asks who is signed in.
 * So the address, header and key in storage stand here again.
 * `component/ahead` fails if the call is late or made twice.
 */

declare global {
  /** The session's response, until apiClient.ts takes it over. */
  var earlySession: Promise<Response> | undefined
}

try {
  if (localStorage.getItem('fieldwork.signed-in')) {
    globalThis.earlySession = fetch('/v3/portal/auth/validate_token', { headers: { 'x-fieldwork': 'workspace' } })
    // The call that takes it over handles the error.
    globalThis.earlySession.catch(() => {})
  }
} catch {
  // Without storage, the workspace asks itself.
}

export {}
