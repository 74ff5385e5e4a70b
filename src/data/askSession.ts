/* Runs while the workspace's scripts still load, and imports none of them: asks who is signed in. */

declare global {
  /** The session's response, until apiClient.ts takes it over. */
  var early: Promise<Response> | undefined
}

try {
  if (localStorage.getItem('fieldwork.signed-in')) {
    globalThis.early = fetch('/v3/portal/auth/validate_token', { headers: { 'x-fieldwork': 'workspace' } })
    // The call that takes it over handles the error.
    globalThis.early.catch(() => {})
  }
} catch {
  // Without storage, the workspace asks itself.
}

export {}
