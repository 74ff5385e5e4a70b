import { earlierReads } from './apiClient.ts'
import { personalPart, setPersonalPart } from './personalStorage.ts'
import { currentMe } from './session.ts'

/** How long (ms) after the workspace was drawn its first screen may still read. */
const SETTLED_MS = 3000
/** Addresses whose reads are stored, the last ones first. */
const ADDRESSES = 30
/** Browsers allow six connections to a server, and the frame reads, too. */
const READS = 3
/** What every page reads, and what a screen can wait for. */
const FRAME = /^(session|organization|notification|job|view|palette|live)\.|\.dropdown$/

/** Only once: after another user's sign-in, the page's first reads are no longer theirs. */
let started = false

/**
 * Stores what the page's address has read at first, so that readEarly.ts reads it on the next visit while scripts load.
 * Returns a function that cancels it.
 */
export function storeFirstReads(): () => void {
  if (started) return () => {}
  started = true
  const address = location.pathname + location.search
  const timer = setTimeout(() => {
    const taken = earlierReads()
    // After a step to another address, its reads are among them.
    const [load] = performance.getEntriesByType('navigation')
    const start = load && new URL(load.name)
    if (address !== location.pathname + location.search || !start || start.pathname + start.search !== address) return
    const user = currentMe().id
    const { [address]: _, ...others } = (personalPart('first', user) ?? {}) as Record<string, readonly string[]>
    // A list's second page isn't shown yet.
    const first = taken.filter(({ id }, at) => !FRAME.test(id) && taken.findIndex((one) => one.id === id) === at)
    const urls = first.slice(0, READS).map(({ url }) => url)
    setPersonalPart('first', user, Object.fromEntries([[address, urls], ...Object.entries(others)].slice(0, ADDRESSES)))
  }, SETTLED_MS)
  return () => clearTimeout(timer)
}
