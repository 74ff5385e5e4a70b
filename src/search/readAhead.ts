import { startHelper, workOff } from './workerClient.ts'

/** What a worker reads for a user before the palette asks for it. */
let ahead: { user: string; needless: AbortController; bytes: Promise<ArrayBuffer | null> } | null = null

/** Starts reading a user's stored names in a worker, so that they are there when the palette opens. */
export function readAhead(person: number): void {
  const user = String(person)
  if (ahead?.user === user) return
  dropAhead()
  const needless = new AbortController()
  const bytes = workOff(startHelper, needless.signal, (post) => post({ do: 'read', user }, [])).catch(() => null)
  ahead = { user, needless, bytes }
}

/** Hands over, once, what `readAhead` reads for a user; null if it wasn't started or nothing is stored. */
export async function takeAhead(person: number): Promise<ArrayBuffer | null> {
  if (ahead?.user !== String(person)) return null
  const { bytes } = ahead
  ahead = null
  return bytes
}

/** Forgets what was read ahead, because its user signs out or another one signs in. */
export function dropAhead(): void {
  ahead?.needless.abort()
  ahead = null
}
