import type { OutgoingHttpHeaders } from 'node:http'
import { seesAll } from '../../contract/who.ts'
import type { Ctx, Services } from '../core/context.ts'
import { toHttpError } from '../core/httpErrors.ts'
import type { LiveEvent } from '../core/ports.ts'
import { type LookUp, shareLookups } from './lookups.ts'
import { type Reader, readerOf, sameSight, seenBy, sightOf } from './reader.ts'

const STREAM = 'text/event-stream; charset=utf-8'
const BEAT_MS = 20_000
/** After trouble with the database the events are asked for again so soon. */
const AGAIN_MS = 1000
const CHECK_MS = 60_000
/** Events read at a time. */
const BUNCH = 500
/** Further behind than this, reading everything again is cheaper than single changes. */
const FAR_BEHIND = 2000
/** Nouns whose changes can change who the reader is, or what they may see. */
const MOVES = new Set(['account', 'user', 'team', 'client'])

/** Live streams of one session at a time, in this process: more are somebody's forgotten windows, or a program gone wrong. */
export const STREAMS_A_SESSION = 20
const streams = new WeakMap<Services, Map<number, Set<() => void>>>()

/**
 * Registers a session's stream and closes its oldest if there are too many; returns the function that unregisters it.
 */
function countStream(services: Services, session: number, sendAway: () => void): () => void {
  const all = streams.get(services) ?? new Map<number, Set<() => void>>()
  streams.set(services, all)
  const own = all.get(session) ?? new Set()
  all.set(session, own)
  own.add(sendAway)
  const [oldest] = own
  if (own.size > STREAMS_A_SESSION && oldest) {
    own.delete(oldest)
    oldest()
  }
  return () => {
    own.delete(sendAway)
    if (!own.size && all.get(session) === own) all.delete(session)
  }
}

/**
 * True if an event can change the reader or their scope: events of their account and, for a client user, of teams and
 * clients.
 */
const moves = ({ actor }: Reader, { noun, user_id, subject_id }: LiveEvent): boolean =>
  MOVES.has(noun) &&
  (noun === 'account' || noun === 'user'
    ? user_id === actor.id || subject_id === actor.id || subject_id === actor.admin_id
    : !seesAll(actor))

/**
 * Answers with a live stream: one server-sent event a change, scoped to the caller, with `id` for resuming by
 * Last-Event-ID. It begins with `hello`; `missed` in it tells the reader to read everything again. A record that leaves
 * the reader's scope is sent as dropped, a changed role or scope as `account` of kind `scope`, the database's state as
 * `away` and `back`. A stream ends with its session; a reader who is too slow is cut off and resumes.
 */
export async function streamLive(ctx: Ctx<{ after?: number | undefined }>): Promise<void> {
  const { reply, request, services } = ctx
  // A look at the head alone: there is no end of the stream to wait for.
  if (request.method === 'HEAD') return void reply.type(STREAM).header('cache-control', 'no-store').send()
  const said = request.headers['last-event-id'] || ctx.input.after
  const given = said === undefined || said === '' ? null : Number(said)
  const reader: Reader = { session: ctx.caller.session!.id, actor: ctx.actor, sight: null }
  reader.sight = await sightOf(services.database.db, reader.actor)
  const { cursor: start, missed } = await beginning(ctx, reader, given)
  let cursor = start
  reply.hijack()
  const socket = reply.raw
  socket.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': STREAM,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: services.stopping ? 'close' : 'keep-alive',
  })
  socket.write(`retry: 1000\nevent: hello\nid: ${cursor}\ndata: ${JSON.stringify({ cursor, missed })}\n\n`)
  const lookUp = lookUpOf(services)
  let busy = false
  let again = false
  let open = true
  // A stream that ends while an event is being written sends no more; its reader resumes after the last one received.
  const write = (text: string) => {
    if (!socket.writableEnded && !socket.destroyed) socket.write(text)
  }
  const end = (text: string) => {
    if (!socket.writableEnded && !socket.destroyed) socket.end(text)
  }

  /** False when the session has ended. */
  const stillThere = async (): Promise<boolean> => {
    const now = await readerOf(services, reader.session)
    if (!now) end('event: bye\ndata: {}\n\n')
    return now !== null
  }
  const tell = async (events: readonly LiveEvent[]) => {
    const moved = events.filter((event) => moves(reader, event)).at(-1)
    let scope = ''
    if (moved) {
      const head = events.at(-1)!.id
      const now = await lookUp(head, `session ${reader.session}`, () => readerOf(services, reader.session))
      if (!now) return void end('event: bye\ndata: {}\n\n')
      const looked = await lookUp(head, `sight of ${now.role} ${now.id}`, () => sightOf(services.database.db, now))
      // Each stream keeps its own up to date.
      const sight = looked && { projects: new Set(looked.projects), clients: new Set(looked.clients) }
      if (now.role !== reader.actor.role || !sameSight(sight, reader.sight)) scope = scopeFrame(moved.id, now.id)
      reader.actor = now
      reader.sight = sight
    }
    const { seen, gone } = await seenBy(services.database.db, reader, events, lookUp)
    for (const event of events) {
      if (seen.has(event.id)) write(frame(reader.session, event))
      else if (gone.has(event.id))
        write(frame(reader.session, { ...event, noun: 'project', subject_id: event.project_id!, kind: 'drop' }))
      if (event === moved && scope) write(scope)
    }
    const last = events.at(-1)!.id
    // The cursor moves on although nothing was for this reader: a resumed stream starts behind what was skipped.
    if (!seen.has(last)) write(`id: ${last}\nevent: cursor\ndata: {}\n\n`)
  }
  const pump = async () => {
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      do {
        again = false
        for (let events = await services.live.heard(cursor, BUNCH); events.length && open; ) {
          // Events in between were rolled back or swept: the reader resumes and is told to read everything again.
          if (events[0]!.id > cursor + 1 && !(await services.live.reaches(cursor))) return void end('')
          await tell(events)
          if (socket.writableEnded) return
          cursor = events.at(-1)!.id
          if (socket.writableLength > 4_000_000) socket.destroy()
          events = events.length < BUNCH ? [] : await services.live.heard(cursor, BUNCH)
        }
      } while (again && open)
    } catch (error) {
      // Nothing of this bunch was told yet: it is told when the database is there again.
      if (toHttpError(services.database, error)) setTimeout(() => open && void pump(), AGAIN_MS).unref()
      else {
        services.log.warn({ err: error }, 'live stream stumbled; its reader resumes')
        end('')
      }
    } finally {
      busy = false
    }
  }
  // One too many of this session: it may come back, but not at once.
  const uncount = countStream(services, reader.session, () => end('retry: 60000\n\n'))
  // This process ends: everyone comes back a little differently, to another one.
  const left = () => end(`retry: ${200 + Math.floor(Math.random() * 800)}\n\n`)
  const stop = services.live.hear(() => void pump(), left)
  // A reader is told why nothing comes, and keeps the stream: hundreds that came back at once would be the next fault.
  const unwatch = services.live.watch((there) => write(`event: ${there ? 'back' : 'away'}\ndata: {}\n\n`))
  const beat = setInterval(() => write(': still here\n\n'), BEAT_MS)
  // A session also ends by its time, of which no event tells; a database that is away for a moment ends none.
  const check = setInterval(() => void stillThere().catch(() => undefined), CHECK_MS)
  socket.on('close', () => {
    open = false
    uncount()
    stop()
    unwatch()
    clearInterval(beat)
    clearInterval(check)
  })
  await pump()
}

/** Where a stream begins, and whether something between there and what the reader knows can't be told one by one. */
async function beginning(ctx: Ctx, reader: Reader, given: number | null): Promise<{ cursor: number; missed: boolean }> {
  const { live, database } = ctx.services
  const last = await live.last()
  if (given === null) return { cursor: last, missed: false }
  // No event ever had this id, so what the reader has is unknown.
  if (!Number.isSafeInteger(given) || given < 0) return { cursor: last, missed: true }
  // Ahead of us: the database behind this server is another one than before, a restored one say.
  if (given > last || last - given > FAR_BEHIND) return { cursor: last, missed: true }
  const events = await live.since(given, FAR_BEHIND)
  // Asked after they were read: a sweep in between takes nothing of them.
  if (events.length && events[0]!.id > given + 1 && !(await live.reaches(given))) return { cursor: last, missed: true }
  const moved = events.some((event) => event.noun === 'user' && event.subject_id === reader.actor.id)
  if (moved) return { cursor: last, missed: true }
  if (seesAll(reader.actor)) return { cursor: given, missed: false }
  // What a client user may have lost sight of meanwhile nobody noted.
  const { seen } = await seenBy(database.db, reader, events)
  const hidden = events.some((event) => event.audience === 'scope' && event.kind !== 'counters' && !seen.has(event.id))
  return hidden ? { cursor: last, missed: true } : { cursor: given, missed: false }
}

const lookUps = new WeakMap<Services, LookUp>()
/** What the streams of this process look up together. */
function lookUpOf(services: Services): LookUp {
  const shared = lookUps.get(services) ?? shareLookups()
  lookUps.set(services, shared)
  return shared
}

const scopeFrame = (id: number, user: number): string =>
  `id: ${id}\ndata: ${JSON.stringify({ id, noun: 'account', subject_id: user, project_id: null, kind: 'scope', own: false })}\n\n`

/** Written once for all streams, which share the events: as the writer hears it, and as everybody else does. */
const frames = new WeakMap<LiveEvent, { own?: string; other?: string }>()

function frame(session: number, event: LiveEvent): string {
  const written = frames.get(event) ?? {}
  frames.set(event, written)
  const whose = event.session_id !== null && event.session_id === session ? 'own' : 'other'
  written[whose] ??= textOf(event, whose === 'own')
  return written[whose]
}

function textOf({ id, noun, subject_id, project_id, kind }: LiveEvent, own: boolean): string {
  return `id: ${id}\ndata: ${JSON.stringify({ id, noun, subject_id, project_id, kind, own })}\n\n`
}
