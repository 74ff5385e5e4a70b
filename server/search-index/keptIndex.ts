import { seesAll } from '../../contract/actor.ts'
import type { Ctx } from '../core/context.ts'
import { versionsOf } from '../core/idCache.ts'
import type { Database } from '../db/connect.ts'
import { type Deflated, deflated } from './gzipAround.ts'
import { indexChanges } from './indexChanges.ts'
import { type Entry, findable, sourceOf } from './sources.ts'

/** The most names kept, about 200 bytes each; a larger index is read from the database each time. */
const MOST = 200_000
/** Beyond this many events, reading everything is cheaper. */
const FEW = 500
/** A file of places emits only its group's change, so nothing tells which places came or went. */
const UNTRACKED: ReadonlySet<string> = new Set(['location', 'group'])

/** What every administrator finds, as lines of JSON by kind and id. */
interface KeptIndex {
  /** How often names had changed, by the database's count, before these were read. */
  version: number
  /** All events up to this one are in the lines. */
  cursor: number
  lines: Map<string, string>
  /** The lines joined and compressed; null after a change. */
  text: Promise<Deflated> | null
}
const indexes = new WeakMap<Database, KeptIndex>()
const updates = new WeakMap<Database, Promise<unknown>>()

/** True if the caller's index is that of every administrator, apart from records of their own. */
const shares = (ctx: Ctx): boolean => seesAll(ctx.actor) && !ctx.actor.only && ctx.db === ctx.services.database.db

/** The nouns whose entries are the same for every administrator. */
const sharedNouns = (ctx: Ctx) => findable(ctx).filter((noun) => !sourceOf(noun).own)

/** All shared entries as lines of JSON, also compressed, without reading them; null if they have to be read. */
export async function keptText(ctx: Ctx): Promise<Deflated | null> {
  if (!shares(ctx)) return null
  const { database } = ctx.services
  // One after the other, because a change is applied in place.
  const update = (updates.get(database) ?? Promise.resolve()).then(() => upToDate(ctx))
  updates.set(
    database,
    update.catch(() => null),
  )
  const index = await update
  if (!index) return null
  index.text ??= deflated(Buffer.from([...index.lines.values()].join(',\n')))
  try {
    return await index.text
  } catch (error) {
    index.text = null
    throw error
  }
}

/** The kept index with every change committed before the call; null if it has to be read. */
async function upToDate(ctx: Ctx): Promise<KeptIndex | null> {
  const { database, live } = ctx.services
  const index = indexes.get(database)
  if (!index) return null
  const cursor = await live.last()
  const { name: version } = await versionsOf(database.db)
  if (version === index.version) {
    index.cursor = Math.max(index.cursor, cursor)
    return index
  }
  // Stays forgotten if the changes can't be read.
  indexes.delete(database)
  const events = await live.since(index.cursor, FEW + 1)
  const whole = events[0]?.id === index.cursor + 1 || (await live.reaches(index.cursor))
  if (!events.length || events.length > FEW || !whole || events.some(({ noun }) => UNTRACKED.has(noun))) return null
  const { put, drop } = await indexChanges(ctx, events, sharedNouns(ctx))
  for (const [kind, id] of drop) index.lines.delete(`${kind} ${id}`)
  for (const entry of put) index.lines.set(keyOf(entry), JSON.stringify(entry))
  if (index.lines.size > MOST) return null
  Object.assign(index, { version, cursor: events.at(-1)!.id, text: null })
  indexes.set(database, index)
  return index
}

const keyOf = ([kind, id]: Entry) => `${kind} ${id}`

/** Collects the entries of one reading, to be kept once all are read; null if this caller's aren't shared. */
export async function collect(ctx: Ctx, cursor: number) {
  if (!shares(ctx)) return null
  const { database } = ctx.services
  // Before the entries, so that a change meanwhile is applied later instead of missed.
  const { name: version } = await versionsOf(database.db)
  const lines = new Map<string, string>()
  return {
    add(rows: readonly Entry[]) {
      if (lines.size <= MOST) for (const row of rows) lines.set(keyOf(row), JSON.stringify(row))
    },
    done() {
      if (lines.size <= MOST) indexes.set(database, { version, cursor, lines, text: null })
    },
  }
}
