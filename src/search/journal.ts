import type { Changes, Entity } from './types.ts'

/** Changes since a packed index was stored: entities by key, null if deleted. */
export class Journal {
  /** The cursor of the packed index it belongs to. */
  readonly base: number
  private since = new Map<string, Entity | null>()

  constructor(base: number) {
    this.base = base
  }

  get size(): number {
    return this.since.size
  }

  add({ put, drop }: Changes): void {
    for (const key of drop) this.since.set(key, null)
    for (const entity of put) this.since.set(entity.key, entity)
  }

  changes(): Changes {
    const put: Entity[] = []
    const drop: string[] = []
    for (const [key, entity] of this.since) {
      if (entity === null) drop.push(key)
      else put.push(entity)
    }
    return { put, drop }
  }
}

/** A stored journal; the next visit continues from `cursor` instead of the packed index's. */
export type StoredJournal = { base: number; cursor: number; changes: Changes }
