import type { z } from 'zod'
import type { Sentence } from '../../../contract/effectText.ts'
import { count, counted } from '../../../contract/format.ts'
import { nowhereNote, slipNote } from '../../../contract/position.ts'
import type { visitCalls } from '../../../contract/visit.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError } from '../../core/errors.ts'
import { keyOpensService } from '../../core/keyScope.ts'
import { yieldTurn } from '../../core/yieldTurn.ts'
import { linesOf } from '../../domain/runtime/ndjson.ts'
import { deviceSalt } from '../../domain/visit/device.ts'
import { emitVisits } from '../../domain/visit/events.ts'
import { BATCH_MOST, VisitBatch } from '../../domain/visit/intake.ts'
import { type IntakeLine, openLine, writeLine } from '../../domain/visit/intakeLine.ts'
import { closedBefore } from '../../domain/visit/retention.ts'
import type { Visit } from '../../domain/visit/store.ts'
import { brokenOff, byKey, isAborted, listed } from '../batch.ts'

type Ingest = z.output<(typeof visitCalls)['visit.ingest']['input']>
type Report = z.input<(typeof visitCalls)['visit.ingest']['output']>['data']

/** Visits in one transaction: limits how long other writers wait. */
const CHUNK = 5000
/** The longest time rows are read in one turn of the event loop. */
const SLICE_MS = 5

/**
 * Imports a batch of visits: all rows are read and compared first, then the valid ones are stored in two transactions.
 * An interrupted upload stores nothing, and sending a batch again counts nothing twice.
 * Throws 422 with the report if no row was readable.
 */
export async function receiveVisits(ctx: Ctx<Ingest>) {
  const { dry } = ctx.input
  const { database } = ctx.services
  const lines = ctx.lines ? linesOf(ctx.lines) : listed(ctx.input.rows ?? ctx.input.visits)
  const batch = await openBatch(ctx)
  const taken = { added: 0, repeated: 0, venues_added: 0 }
  const report = (): Report => ({
    ...taken,
    ...{ refused: batch.refused, errors: batch.errors, ignored: batch.ignored(), dry },
  })
  try {
    let began = performance.now()
    for await (const { number, row } of lines) {
      if (performance.now() - began > SLICE_MS) {
        await yieldTurn()
        began = performance.now()
      }
      if (batch.rows === BATCH_MOST)
        throw new HttpError(413, 'too_large', `A batch holds at most ${count(BATCH_MOST)} visits: send the rest in another one.`)
      batch.add(row, number)
    }
    const visits = await batch.visits(database, ctx.db)
    if (dry) {
      const { venues, ...counts } = await batch.look(database, ctx.db, visits)
      Object.assign(taken, counts, { venues_added: venues })
    } else {
      const taking = new Taking(ctx, batch)
      for (let from = 0; from < visits.length; from += CHUNK) {
        await taking.take(visits.slice(from, from + CHUNK))
        Object.assign(taken, taking.counts)
      }
    }
  } catch (error) {
    throw taken.added || taken.repeated || isAborted(error) ? brokenOff(ctx as Ctx, error, report(), 'visits') : error
  }
  const data = report()
  if (!dry) ctx.services.metrics?.took('visits', data.added)
  const message = messageOf(data, batch)
  if (data.refused && !data.added && !data.repeated)
    throw new HttpError(422, 'all_refused', message, { fields: { rows: firstError(data) ?? message }, data })
  return { data, message }
}

async function openBatch(ctx: Ctx<Ingest>): Promise<VisitBatch> {
  const { services, caller, db } = ctx
  const { service_id, strict } = ctx.input
  const { apiKey } = caller
  return new VisitBatch({
    service: service_id,
    strict,
    now: new Date(ctx.now),
    timeZone: services.settings.timeZone,
    salt: await deviceSalt(services.database),
    opens: (id) => !apiKey || keyOpensService(apiKey.scope, id),
    missing: (id) => (apiKey ? `Service ${id} was not found, or this key is not for it.` : `Service ${id} was not found.`),
    closedBefore: await closedBefore(db),
  })
}

const firstError = ({ errors }: Report): string | undefined => Object.values(errors[0]?.fields ?? {})[0]

function messageOf({ added, repeated, refused, venues_added, ignored, dry }: Report, { nowhere, doubts }: VisitBatch): Sentence {
  const venues = venues_added ? `, ${counted(venues_added, 'venue')} added` : ''
  const counts = `, ${count(repeated)} already known, ${count(refused)} refused${venues}`
  const names = Object.keys(ignored)
  const rest = `${counts}${names.length ? `; unknown fields: ${names.join(', ')}` : ''}${nowhereNote(nowhere)}${slipNote(doubts.rows, doubts.first)}`
  return describeEffect({ dry }, 'visit.ingest', { count: added, words: ['visit', 'visits'], rest })
}

/** The transactions of one batch, which share one line of each service's history. */
class Taking {
  readonly counts = { added: 0, repeated: 0, venues_added: 0 }
  readonly #ctx: Ctx<Ingest>
  readonly #batch: VisitBatch
  /** By service: its line in the history, and the counts on it. */
  readonly #lines = new Map<number, IntakeLine>()

  constructor(ctx: Ctx<Ingest>, batch: VisitBatch) {
    this.#ctx = ctx
    this.#batch = batch
  }

  async take(visits: readonly Visit[]): Promise<void> {
    const { database } = this.#ctx.services
    const { stored, lines } = await this.#ctx.write(async (writing) => {
      const stored = await this.#batch.store(database, writing.tx, visits)
      const lines = new Map<number, IntakeLine>()
      for (const [service, added] of stored.services) lines.set(service, await this.#note(writing as Ctx, service, added))
      emitVisits(
        writing as Ctx,
        Array.from(stored.services.keys(), (id) => this.#batch.services.get(id)!),
      )
      return { stored, lines }
    })
    this.counts.added += stored.added
    this.counts.repeated += stored.repeated
    this.counts.venues_added += stored.venues
    for (const [service, line] of lines) this.#lines.set(service, line)
  }

  /** Writes the batch's line in a service's history, or adds to it, or to that of the sender's previous batch. */
  async #note(writing: Ctx, service: number, news: number): Promise<IntakeLine> {
    const { actor } = writing.caller
    const key = byKey(writing.caller)
    const sender = { actor_id: actor?.id ?? null, admin_id: actor?.admin_id ?? null, reason: '', key }
    const own = this.#lines.get(service)
    const known = own ?? (await openLine(writing.tx, service, sender, writing.now))
    // This batch's own line already includes its errors.
    const errors = own ? own.errors : (known?.errors ?? 0) + this.#batch.refused
    const figures = { added: (known?.added ?? 0) + news, errors }
    if (known) {
      await writeLine(writing.tx, { id: known.id, ...figures }, key)
      return { id: known.id, ...figures }
    }
    await writing.record({ subject: 'service', subject_id: service, after: { ...figures, ...key } })
    // The service is locked until the commit, so its latest line is the one just written.
    const { id } = await writing.tx
      .selectFrom('history')
      .select((eb) => eb.fn.max('id').as('id'))
      .where('subject', '=', 'service')
      .where('subject_id', '=', service)
      .where('action', '=', 'visit.ingest')
      .executeTakeFirstOrThrow()
    return { id: Number(id), ...figures }
  }
}
