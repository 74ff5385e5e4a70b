import { createReadStream, statSync } from 'node:fs'
import { decimal } from '../../contract/decimals.ts'
import { count as figure } from '../../contract/format.ts'
import type { Change } from '../core/ports.ts'
import type { Settings } from '../core/settings.ts'
import { type Database, type Tx, transact } from '../db/connect.ts'
import { linesOf } from '../domain/runtime/ndjson.ts'
import { deviceSalt } from '../domain/visit/device.ts'
import { emitVisits } from '../domain/visit/events.ts'
import { BATCH_MOST, VisitBatch } from '../domain/visit/intake.ts'
import { openLine, writeLine } from '../domain/visit/intakeLine.ts'
import { closedBefore } from '../domain/visit/retention.ts'
import type { Visit } from '../domain/visit/store.ts'
import { openLive } from '../live/live.ts'
import { type Counts, openProgress } from './progress.ts'

const SHOWN = 20
/** Visits in one transaction. */
const CHUNK = 5000

interface How {
  file: string
  service: number | undefined
  dry: boolean
  strict: boolean
}

/** Imports visits from an NDJSON file, ten thousand at a time; returns 2 if lines had errors. */
export async function ingestVisits(database: Database, settings: Settings, { file, service, dry, strict }: How): Promise<number> {
  const salt = await deviceSalt(database)
  const closed = await closedBefore(database.db)
  const open = () =>
    new VisitBatch({
      ...{ service, strict, salt, now: new Date(), timeZone: settings.timeZone, closedBefore: closed },
      ...{ opens: () => true, missing: (id: number) => `There is no service ${id}.` },
    })
  const counts: Counts = { lines: 0, added: 0, repeated: 0, refused: 0 }
  const ignored = new Map<string, number>()
  let venues = 0
  let printed = 0
  const input = createReadStream(file)
  const progress = openProgress(statSync(file).size)
  const began = performance.now()
  const flush = async (batch: VisitBatch) => {
    const visits = await batch.visits(database, database.db)
    for (const { line, fields } of batch.errors)
      if (printed++ < SHOWN)
        process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}line ${line}: ${Object.values(fields).join('; ')}\n`)
    for (const [name, rows] of Object.entries(batch.ignored())) ignored.set(name, (ignored.get(name) ?? 0) + rows)
    counts.lines += batch.rows
    counts.refused += batch.refused
    for (let from = 0; from < visits.length; from += CHUNK) {
      const part = visits.slice(from, from + CHUNK)
      const taken = dry ? await batch.look(database, database.db, part) : await keep(database, batch, part)
      counts.added += taken.added
      counts.repeated += taken.repeated
      if (!dry) venues += taken.venues
    }
    progress(input.bytesRead, counts)
  }
  let batch = open()
  for await (const { number, row } of linesOf(input)) {
    batch.add(row, number)
    if (batch.rows < BATCH_MOST) continue
    await flush(batch)
    batch = open()
  }
  await flush(batch)
  const seconds = (performance.now() - began) / 1000
  if (printed > SHOWN) console.error(`… and more: ${figure(counts.refused)} lines were refused`)
  for (const [name, rows] of ignored) console.error(`${name} is not a field of a visit (${figure(rows)} lines)`)
  console.log(
    `${process.stdout.isTTY ? '\n' : ''}${dry ? 'Nothing was kept. ' : ''}${venues ? `${figure(venues)} venues added. ` : ''}Done in ${decimal(seconds, 1, 1)} s, ${figure(Math.round(counts.lines / seconds))} visits a second.`,
  )
  return counts.refused ? 2 : 0
}

/** Stores visits in one transaction, with a history line for each service and live events. */
async function keep(database: Database, batch: VisitBatch, visits: readonly Visit[]) {
  const live = await openLive({ ...database, listen: async () => async () => {} })
  return transact(database, async (tx) => {
    const stored = await batch.store(database, tx, visits)
    if (!stored.added) return stored
    const at = new Date().toISOString()
    for (const [service, added] of stored.services) await note(tx, service, { added, errors: batch.refused }, at)
    const changes: Change[] = []
    emitVisits(
      { emit: (change) => changes.push(change) },
      Array.from(stored.services.keys(), (id) => batch.services.get(id)!),
    )
    await live.append(tx, changes, null, at, 'visit.ingest')
    return stored
  })
}

async function note(tx: Tx, service: number, news: { added: number; errors: number }, at: string): Promise<void> {
  const sender = { actor_id: null, admin_id: null, reason: 'command line', key: {} }
  const known = await openLine(tx, service, sender, at)
  const after = { added: (known?.added ?? 0) + news.added, errors: (known?.errors ?? 0) + news.errors }
  if (known) return writeLine(tx, { id: known.id, ...after }, {})
  await tx
    .insertInto('history')
    .values({
      ...{ subject: 'service', subject_id: service, project_id: null, action: 'visit.ingest', origin: 'event' },
      ...{ actor_id: null, admin_id: null, partner_id: null, before: '{}', after: JSON.stringify(after) },
      ...{ reason: 'command line', at },
    })
    .execute()
}
