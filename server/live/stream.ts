import type { OutgoingHttpHeaders } from 'node:http'
import { seesAll } from '../../contract/actor.ts'
import { nounOf } from '../../contract/nounOf.ts'
import type { Ctx, Services } from '../core/context.ts'
import { toHttpError } from '../core/httpErrors.ts'
import type { LiveEvent } from '../core/ports.ts'
import { unreadLines } from '../domain/news/inbox.ts'
import { type LookUp, shareLookups } from './lookups.ts'
import { copyOf, type Reader, readerOf, sameVisibility, seenBy, visibilityOf } from './reader.ts'

const STREAM = 'text/event-stream; charset=utf-8'
const BEAT_MS = 20_000
/** The pause (ms) before events are read again after a database failure. */
const AGAIN_MS = 1000
const CHECK_MS = 60_000
/** Events read at a time. */
const BUNCH = 500
/** Beyond this many events, loading everything again is cheaper. */
const FAR_BEHIND = 2000

/** The most live streams of a session in this process; more are forgotten windows or a faulty program. */
export const STREAMS_A_SESSION = 20
const streams = new WeakMap<Services, Map<number, Set<() => void>>>()

/** How many live streams this process serves. */
export const openStreams = (services: Services): number =>
  [...(streams.get(services)?.values() ?? [])].reduce((all, own) => all + own.size, 0)

/** Registers a session's stream and closes its oldest beyond the limit; returns the function that unregisters it. */
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

/** True if an event can change the reader or their scope: their account, or for client users a team or client. */
const moves = ({ actor }: Reader, { noun, user_id, subject_id }: LiveEvent): boolean =>
  nounOf(noun)?.scopes === true &&
  (noun === 'account' || noun === 'user'
    ? user_id === actor.id || subject_id === actor.id || subject_id === actor.admin_id
    : !seesAll(actor))

/**
 * Sends a live stream: one server-sent event for each change the caller can see, with `id` for Last-Event-ID.
 * It starts with `hello`, whose `missed` tells the client to load everything again.
 * A record the caller can no longer see is sent as dropped; a new role or scope as `account` of kind `scope`.
 * `away` and `back` report the database's availability.
 * The stream ends with its session; a slow client is disconnected and can resume.
 */
export async function streamLive(ctx: Ctx<{ after?: number | undefined }>): Promise<void> {
  const { reply, request, services } = ctx
  // A HEAD request must not wait for the end of the stream.
  if (request.method === 'HEAD') return void reply.type(STREAM).header('cache-control', 'no-store').send()
  const lastId = request.headers['last-event-id'] || ctx.input.after
  const lastEvent = lastId === undefined || lastId === '' ? null : Number(lastId)
  const reader: Reader = { session: ctx.caller.session!.id, actor: ctx.actor, sight: null }
  reader.sight = await visibilityOf(services.database.db, reader.actor)
  const { cursor: start, missed } = await beginning(ctx, reader, lastEvent)
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
  let rewinds = services.live.rewinds()
  let open = true
  // A stream that ends during a write sends no more; its reader resumes after the last event received.
  const write = (text: string) => {
    if (!socket.writableEnded && !socket.destroyed) socket.write(text)
  }
  const end = (text: string) => {
    if (!socket.writableEnded && !socket.destroyed) socket.end(text)
  }

  /** False if the session has ended. */
  const stillThere = async (): Promise<boolean> => {
    const now = await readerOf(services, reader.session)
    if (!now) end('event: bye\ndata: {}\n\n')
    return now !== null
  }
  const send = async (events: readonly LiveEvent[]) => {
    const moved = events.filter((event) => moves(reader, event)).at(-1)
    let scope = ''
    if (moved) {
      const head = events.at(-1)!.id
      const now = await lookUp(head, `session ${reader.session}`, () => readerOf(services, reader.session))
      if (!now) return void end('event: bye\ndata: {}\n\n')
      const looked = await lookUp(head, `sight of ${now.role} ${now.id}`, () => visibilityOf(services.database.db, now))
      // Each stream updates its own copy.
      const visibility = looked && copyOf(looked)
      if (now.role !== reader.actor.role || !sameVisibility(visibility, reader.sight)) scope = scopeFrame(moved.id, now.id)
      reader.actor = now
      reader.sight = visibility
    }
    const { seen, gone } = await seenBy(services.database.db, reader, events, lookUp)
    const { actor } = reader
    // Each reader has a count of their own, so these frames aren't shared.
    const noticed = events.filter(({ id, noun }) => noun === 'notice' && seen.has(id)).at(-1)
    const unread =
      noticed && (await lookUp(noticed.id, `unread of ${actor.id}`, () => unreadLines({ db: services.database.db, actor })))
    for (const event of events) {
      if (seen.has(event.id) && event.noun === 'notice') write(textOf(event, event.session_id === reader.session, { unread }))
      else if (seen.has(event.id)) write(frame(reader.session, event))
      else if (gone.has(event.id))
        write(
          frame(
            reader.session,
            event.project_id === null
              ? { ...event, kind: 'drop' }
              : { ...event, noun: 'project', subject_id: event.project_id, kind: 'drop' },
          ),
        )
      if (event === moved && scope) write(scope)
    }
    const last = events.at(-1)!.id
    // Advance the cursor past skipped events, so that a resumed stream starts after them.
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
        let events = await services.live.sharedSince(cursor, BUNCH)
        if (rewinds < services.live.rewinds()) {
          // A failover lost events that this client may have: its cursor means nothing any more.
          rewinds = services.live.rewinds()
          cursor = await services.live.last()
          write(`event: hello\nid: ${cursor}\ndata: ${JSON.stringify({ cursor, missed: true })}\n\n`)
          events = await services.live.sharedSince(cursor, BUNCH)
        }
        while (events.length && open) {
          // Ids in between were rolled back or swept: the client resumes, and is told to load everything again.
          if (events[0]!.id > cursor + 1 && !(await services.live.reaches(cursor))) return void end('')
          await send(events)
          if (socket.writableEnded) return
          cursor = events.at(-1)!.id
          if (socket.writableLength > 4_000_000) socket.destroy()
          events = events.length < BUNCH ? [] : await services.live.sharedSince(cursor, BUNCH)
        }
      } while (again && open)
    } catch (error) {
      // None of these events was sent, so all are sent once the database is available.
      if (toHttpError(services.database, error)) setTimeout(() => open && void pump(), AGAIN_MS).unref()
      else {
        services.log.warn({ err: error }, 'a live stream failed for a moment; its client resumes')
        end('')
      }
    } finally {
      busy = false
    }
  }
  // Over the session's limit: the client may return, but not at once.
  const uncount = countStream(services, reader.session, () => end('retry: 60000\n\n'))
  // This process is stopping: clients reconnect at different moments, to another process.
  const left = () => end(`retry: ${200 + Math.floor(Math.random() * 800)}\n\n`)
  const stop = services.live.subscribe(() => void pump(), left)
  // Clients keep their streams while the database is unavailable: hundreds reconnecting at once would overload it.
  const unwatch = services.live.watch((there) => write(`event: ${there ? 'back' : 'away'}\ndata: {}\n\n`))
  const beat = setInterval(() => write(': still here\n\n'), BEAT_MS)
  // A session also expires without an event; an unavailable database ends none.
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

/** Where a stream starts, and whether the client missed changes that can't be sent one by one. */
async function beginning(ctx: Ctx, reader: Reader, lastEvent: number | null): Promise<{ cursor: number; missed: boolean }> {
  const { live, database } = ctx.services
  const last = await live.last()
  if (lastEvent === null) return { cursor: last, missed: false }
  // An id that no event ever had says nothing about what the client has.
  if (!Number.isSafeInteger(lastEvent) || lastEvent < 0) return { cursor: last, missed: true }
  // An id ahead of ours means another database, for example a restored one.
  if (lastEvent > last || last - lastEvent > FAR_BEHIND) return { cursor: last, missed: true }
  const events = await live.since(lastEvent, FAR_BEHIND)
  // Checked after the read, so that a sweep in between can't take events from it.
  if (events.length && events[0]!.id > lastEvent + 1 && !(await live.reaches(lastEvent))) return { cursor: last, missed: true }
  const moved = events.some((event) => event.noun === 'user' && event.subject_id === reader.actor.id)
  if (moved) return { cursor: last, missed: true }
  if (seesAll(reader.actor)) return { cursor: lastEvent, missed: false }
  // Nothing records which records a client user lost access to meanwhile.
  const { seen } = await seenBy(database.db, reader, events)
  const hidden = events.some((event) => event.audience === 'scope' && event.kind !== 'counters' && !seen.has(event.id))
  return hidden ? { cursor: last, missed: true } : { cursor: lastEvent, missed: false }
}

const lookUps = new WeakMap<Services, LookUp>()
/** The lookups shared by this process's streams. */
function lookUpOf(services: Services): LookUp {
  const shared = lookUps.get(services) ?? shareLookups()
  lookUps.set(services, shared)
  return shared
}

const scopeFrame = (id: number, user: number): string =>
  `id: ${id}\ndata: ${JSON.stringify({ id, noun: 'account', subject_id: user, project_id: null, kind: 'scope', own: false })}\n\n`

/** Frames are built once for all streams: one for the writer's own, one for the others. */
const frames = new WeakMap<LiveEvent, { own?: string; other?: string }>()

function frame(session: number, event: LiveEvent): string {
  const written = frames.get(event) ?? {}
  frames.set(event, written)
  const whose = event.session_id !== null && event.session_id === session ? 'own' : 'other'
  written[whose] ??= textOf(event, whose === 'own')
  return written[whose]
}

function textOf({ id, noun, subject_id, project_id, kind }: LiveEvent, own: boolean, more: object = {}): string {
  return `id: ${id}\ndata: ${JSON.stringify({ id, noun, subject_id, project_id, kind, own, ...more })}\n\n`
}
