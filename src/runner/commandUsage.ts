import { browserStore } from '../data/browserStore.ts'

/** How often and recently something was used; the value halves every five days (workspace.md, The palette). */
interface Use {
  score: number
  at: number
}
const HALF_LIFE = 5 * 24 * 3600 * 1000
const MOST = 400

const nameOf = (user: number) => `fieldwork.used.${user}`
let loaded: { user: number; uses: Map<string, Use> } | null = null

function usesOf(user: number): Map<string, Use> {
  if (loaded?.user === user) return loaded.uses
  const uses = new Map<string, Use>()
  const kept = browserStore.get(nameOf(user))
  if (Array.isArray(kept)) for (const [key, score, at] of kept as [string, number, number][]) uses.set(key, { score, at })
  loaded = { user, uses }
  return uses
}

const decayed = (use: Use, now: number) => use.score * 2 ** (-(now - use.at) / HALF_LIFE)

/** Counts a use of a command on a kind, or of a record: `project.goLive project`, `project:4812`. */
export function countUse(user: number, key: string, now = Date.now()): void {
  const uses = usesOf(user)
  const old = uses.get(key)
  uses.delete(key)
  uses.set(key, { score: (old ? decayed(old, now) : 0) + 1, at: now })
  if (uses.size > MOST) {
    const least = [...uses].reduce((a, b) => (decayed(a[1], now) <= decayed(b[1], now) ? a : b))
    uses.delete(least[0])
  }
  browserStore.set(
    nameOf(user),
    [...uses].map(([name, { score, at }]) => [name, Math.round(score * 1000) / 1000, at]),
  )
}

/** Returns how much something was used; 0 for never. */
export function usageOf(user: number, key: string, now = Date.now()): number {
  const use = usesOf(user).get(key)
  return use ? decayed(use, now) : 0
}
