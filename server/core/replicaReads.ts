import { sql } from 'kysely'
import { seesAll } from '../../contract/actor.ts'
import type { Position } from '../db/replicas.ts'
import type { Caller, Services } from './context.ts'
import { HttpError } from './errors.ts'

/** Days for which somebody's last write is remembered; a replica that is further behind has failed. */
const REMEMBERED_DAYS = 7

/** Whose writes a caller must see: their own, and of somebody they act for also those made as them. */
const writersOf = ({ actor }: Caller): number[] => (actor ? [actor.id, ...(actor.admin_id === null ? [] : [actor.admin_id])] : [])

/** Notes, after a commit, how far a replica must be for its writer to read there; nothing without replicas. */
export async function noteWrite({ replicas, database, now }: Services, caller: Caller): Promise<void> {
  if (!replicas) return
  for (const user_id of writersOf(caller))
    await sql`insert into write_positions (user_id, lsn, at) values (${user_id}, pg_current_wal_insert_lsn()::text, ${now().toISOString()})
      on conflict (user_id) do update set lsn = greatest(write_positions.lsn::pg_lsn, excluded.lsn::pg_lsn)::text, at = excluded.at`.execute(
      database.db,
    )
}

/**
 * What a caller must see: their own last write, and the events that they have received (`seen`).
 * A caller who sees only some records must see every event so far, as any may take one away from them.
 */
async function positionOf({ database }: Services, caller: Caller, seen: number): Promise<Position> {
  const { actor } = caller
  const all = actor !== null && seesAll(actor) && !actor.only
  const { rows } = await sql<{ lsn: string | null; event: number | null }>`select
    (select max(lsn::pg_lsn)::text from write_positions where user_id in (${sql.join(writersOf(caller))})) as lsn,
    ${all ? sql`0` : sql`(select max(id) from events)`} as event`.execute(database.db)
  return { lsn: rows[0]?.lsn ?? null, event: Math.max(seen, Number(rows[0]?.event ?? 0)) }
}

/** The primary's position at this moment: everything that was committed before. */
async function positionNow({ database }: Services): Promise<Position> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_insert_lsn()::text as lsn`.execute(database.db)
  return { lsn: rows[0]!.lsn, event: 0 }
}

/** One object for each replica, because what a process caches is found by it. */
const onReplica = new WeakMap<object, Services>()

function servicesAt(services: Services, database: Services['database']): Services {
  const known = onReplica.get(database)
  if (known) return known
  const at = Object.create(services, { database: { value: database } }) as Services
  onReplica.set(database, at)
  return at
}

/**
 * Reads on a replica that has what the caller must see, else on the primary.
 * A read that a replica can't finish is repeated on the primary, unless `finished` says that its response has begun.
 */
export async function readFromReplica<T>(
  services: Services,
  caller: Caller,
  seen: number,
  read: (services: Services) => Promise<T>,
  finished: () => boolean = () => false,
): Promise<T> {
  const { replicas } = services
  const replica = replicas && caller.actor ? await replicas.at(await positionOf(services, caller, seen)) : null
  return replica ? attempt(services, replica, read, finished) : read(services)
}

/** How long an export waits for a replica to have what was committed before it (ms). */
const EXPORT_WAIT_MS = 5000

/** Runs a long read, such as an export, on a replica that has everything committed before it; else on the primary. */
export async function readLongFromReplica<T>(
  services: Services,
  read: (services: Services) => Promise<T>,
  cancelled: () => boolean,
): Promise<T> {
  const replica = services.replicas ? await services.replicas.at(await positionNow(services), EXPORT_WAIT_MS) : null
  return replica ? attempt(services, replica, read, cancelled) : read(services)
}

async function attempt<T>(
  services: Services,
  replica: Services['database'],
  read: (services: Services) => Promise<T>,
  finished: () => boolean,
): Promise<T> {
  try {
    return await read(servicesAt(services, replica))
  } catch (error) {
    // A refusal or a timeout would be the same on the primary.
    const same = error instanceof HttpError && (error.status < 500 || error.status === 504)
    if (same || finished()) throw error
    services.replicas!.failed()
    services.log.warn({ err: error }, 'a replica could not finish a read: it is repeated on the primary')
    return read(services)
  }
}

/** Forgets positions that every replica has long passed. */
export async function forgetPositions({ replicas, database, now }: Services): Promise<void> {
  if (!replicas) return
  const before = new Date(now().getTime() - REMEMBERED_DAYS * 86_400_000).toISOString()
  await database.db.deleteFrom('write_positions').where('at', '<', before).execute()
}
