/*
 * Runs while the workspace's scripts still load, and imports none of them.
 * It asks who is signed in, and reads what this address showed first on an earlier visit (firstReads.ts).
 * So an address, headers and keys in storage stand here again.
 * `component/ahead` fails if a read is late or made twice.
 */

declare global {
  /** Responses by their URL, until apiClient.ts takes them over. */
  var earlyReads: Record<string, Promise<Response>> | undefined
}

try {
  // The user, as `u1001`.
  const user = localStorage.getItem('fieldwork.signed-in')
  if (user) {
    const urls = JSON.parse(localStorage.getItem(`fieldwork.first.${user.slice(1)}`) ?? '{}')[location.pathname + location.search]
    const early: typeof earlyReads = {}
    globalThis.earlyReads = early
    for (const url of ['/v3/portal/auth/validate_token', ...(urls ?? [])]) {
      // All at once: each response says up to which event it is complete, which apiClient.ts compares.
      early[url] = fetch(url, { headers: { 'x-fieldwork': 'workspace', 'x-live-seen': 'none' } }).then(async (answer) => {
        // Its text is at hand, so that a list has its rows before its first frame.
        const text = await answer.text()
        answer.text = async () => text
        return answer
      })
      // The call that takes it over handles the error.
      early[url].catch(() => {})
    }
  }
} catch {
  // Without storage, the workspace reads by itself.
}

export {}
