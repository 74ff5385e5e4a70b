/** How long (ms) a text may take to come. */
const LONGEST_MS = 10_000

interface Place {
  put(text: string): void
  drop(): void
  written: Promise<void>
}
let place: Place | null = null

/**
 * Takes the clipboard for a text that comes later, while the browser still sees the key or click that copies:
 * WebKit refuses to write after code has loaded or the server has answered.
 */
export function takeClipboard(): void {
  if (place || typeof ClipboardItem === 'undefined' || !navigator.clipboard?.write) return
  let put: Place['put'] = () => {}
  let drop: Place['drop'] = () => {}
  const text = new Promise<Blob>((resolve, reject) => {
    put = (text) => resolve(new Blob([text], { type: 'text/plain' }))
    drop = () => reject(new Error('No text came.'))
  })
  const written = navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
  const mine: Place = { put, drop, written }
  place = mine
  // `writeClipboard` reports a failure. Without a text, nothing was to be copied.
  written.catch(() => {})
  text.catch(() => {})
  setTimeout(() => {
    drop()
    if (place === mine) place = null
  }, LONGEST_MS)
}

/** Copies a text, into the place that was taken for it if there is one; throws if the browser refuses. */
export async function writeClipboard(text: string): Promise<void> {
  const taken = place
  place = null
  if (!taken) return navigator.clipboard.writeText(text)
  taken.put(text)
  await taken.written
}
