/*
 * Runs while the workspace's scripts still load, and imports none of them.
 * It asks who is signed in, then reads what this address showed first on an earlier visit (firstReads.ts).
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
    const early: typeof earlyReads = {}
    globalThis.earlyReads = early
    const read = (url: string, seen?: string | null) => {
      early[url] = fetch(url, { headers: { 'x-fieldwork': 'workspace', ...(seen && { 'x-live-seen': seen }) } })
      // The call that takes it over handles the error.
      early[url].catch(() => {})
      return early[url]
    }
    const urls = JSON.parse(localStorage.getItem(`fieldwork.first.${user.slice(1)}`) ?? '{}')[location.pathname + location.search]
    read('/v3/portal/auth/validate_token').then(
      ({ ok, headers }) => {
        // The live stream resumes from this position, so that no change after it is missed.
        if (ok) for (const url of urls ?? []) read(url, headers.get('x-live-last'))
      },
      () => {},
    )
  }
} catch {
  // Without storage, the workspace reads by itself.
}

export {}
