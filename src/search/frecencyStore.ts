import { browserStore } from '../data/browserStore.ts'
import { addUse } from './frecency.ts'

/** The most uses to remember; the least used go first. */
const MOST = 500

const nameOf = (user: string): string => `fieldwork.uses.${user}`

/** A user's uses on this machine: key → frecency, in local storage if there is one. */
export class FrecencyStore {
  private user: string
  private all: Map<string, number>

  constructor(user: string) {
    this.user = user
    this.all = new Map(readUses(user))
  }

  add(key: string, at = Date.now()): number {
    const frecency = addUse(this.all.get(key), at)
    this.all.set(key, frecency)
    if (this.all.size > MOST) {
      const least = [...this.all].sort((a, b) => a[1] - b[1])[0]!
      this.all.delete(least[0])
    }
    browserStore.set(nameOf(this.user), [...this.all])
    return frecency
  }

  entries = (): [string, number][] => [...this.all]
}

function readUses(user: string): [string, number][] {
  const kept = browserStore.get(nameOf(user))
  return Array.isArray(kept) ? (kept as [string, number][]) : []
}

/** Deletes a user's uses. */
export function forgetUses(user: string): void {
  browserStore.set(nameOf(user), null)
}
