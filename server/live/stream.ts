import type { Ctx } from '../context.ts'
import { clientScope, projectScope } from '../scope.ts'
import type { LiveEvent } from './live.ts'

const BEAT_MS = 20_000
const CHECK_MS = 60_000

/**
 * Answers a live stream: one server-sent event a change, scoped to the caller, with `id` for resuming by Last-Event-ID.
 * A caller whose session has ended meanwhile is sent away; one who reads too slowly is cut off and resumes.
 */
export async function streamLive(ctx: Ctx<{ after?: number | undefined }>): Promise<void> {
  const { reply, request, house } = ctx
  const given = Number(request.headers['last-event-id'] ?? ctx.input.after ?? Number.NaN)
  let cursor = Number.isFinite(given) ? given : await house.live.last()
  reply.hijack()
  const socket = reply.raw
  socket.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  socket.write(`retry: 1000\nevent: hello\nid: ${cursor}\ndata: {"cursor":${cursor}}\n\n`)
  let busy = false
  let again = false
  let open = true

  const pump = async () => {
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      do {
        again = false
        for (
          let events = await house.live.since(cursor, 500);
          events.length && open;
          events = await house.live.since(cursor, 500)
        ) {
          const seen = await seenBy(ctx, events)
          for (const event of events) if (seen.has(event.id)) socket.write(frame(ctx, event))
          cursor = events.at(-1)!.id
          // The cursor moves on although nothing was for this caller: a resumed stream starts behind what was skipped.
          if (!seen.has(cursor)) socket.write(`id: ${cursor}\nevent: cursor\ndata: {}\n\n`)
          if (socket.writableLength > 4_000_000) socket.destroy()
        }
      } while (again && open)
    } catch (error) {
      house.log.warn({ err: error }, 'live stream stumbled; its reader resumes')
      socket.end()
    } finally {
      busy = false
    }
  }
  const stop = house.live.hear(() => void pump())
  const beat = setInterval(() => socket.write(': still here\n\n'), BEAT_MS)
  const check = setInterval(async () => {
    const still = await house.database.db
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', ctx.caller.session!.id)
      .where('expires_at', '>', house.now().toISOString())
      .executeTakeFirst()
      .catch(() => ({ id: 0 }))
    if (!still) socket.end('event: bye\ndata: {}\n\n')
  }, CHECK_MS)
  socket.on('close', () => {
    open = false
    stop()
    clearInterval(beat)
    clearInterval(check)
  })
  await pump()
}

function frame(ctx: Pick<Ctx, 'caller'>, event: LiveEvent): string {
  const own = event.session_id !== null && event.session_id === ctx.caller.session?.id
  return `id: ${event.id}\ndata: ${JSON.stringify({ id: event.id, noun: event.noun, subject_id: event.subject_id, project_id: event.project_id, kind: event.kind, own })}\n\n`
}

/** Which of these events the caller may hear of: an admin all but other people's own; a client user what the scope condition lets them see. */
async function seenBy(ctx: Pick<Ctx, 'actor' | 'house'>, events: readonly LiveEvent[]): Promise<Set<number>> {
  const { actor } = ctx
  const mine = (event: LiveEvent) => event.audience !== 'user' || event.user_id === actor.id
  if (actor.role === 'admin') return new Set(events.filter(mine).map((event) => event.id))
  const projects = [
    ...new Set(events.flatMap((event) => (event.audience === 'scope' && event.project_id ? [event.project_id] : []))),
  ]
  const clients = [
    ...new Set(
      events.flatMap((event) => (event.audience === 'scope' && !event.project_id && event.client_id ? [event.client_id] : [])),
    ),
  ]
  const db = ctx.house.database.db
  const seenProjects = new Set(
    (projects.length
      ? await db.selectFrom('projects').select('id').where('id', 'in', projects).where(projectScope(actor)).execute()
      : []
    ).map((row) => row.id),
  )
  const seenClients = new Set(
    (clients.length
      ? await db.selectFrom('clients').select('id').where('id', 'in', clients).where(clientScope(actor)).execute()
      : []
    ).map((row) => row.id),
  )
  return new Set(
    events
      .filter(
        (event) =>
          (event.audience === 'user' && event.user_id === actor.id) ||
          (event.audience === 'scope' &&
            ((event.project_id && seenProjects.has(event.project_id)) ||
              (!event.project_id && event.client_id && seenClients.has(event.client_id)))),
      )
      .map((event) => event.id),
  )
}
