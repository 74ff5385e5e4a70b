import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { DatabaseAway } from './dbErrors.ts'

const sentence = 'the database is away'

/** A connection of the pool in somebody's hands; it can be taken from them when the database does not answer any more. */
class Lease implements PostgresPoolClient {
  #client: pg.PoolClient
  #gone: () => void
  #since = 0
  #over = false
  constructor(client: pg.PoolClient, gone: (lease: Lease) => void) {
    this.#client = client
    this.#gone = () => gone(this)
  }
  query<R>(text: unknown, values?: unknown): never {
    return this.#query(text as string, values as unknown[]) as Promise<PostgresQueryResult<R>> as never
  }
  async #query(text: string, values: unknown[]) {
    if (this.#over) throw new DatabaseAway(sentence)
    this.#since = Date.now()
    try {
      return await this.#client.query(text, values)
    } finally {
      this.#since = 0
    }
  }
  /** True while a statement has been running since before that moment. */
  isOlderThan(moment: number): boolean {
    return this.#since > 0 && this.#since < moment
  }
  release(discard?: boolean): void {
    if (this.#over) return
    this.#over = true
    this.#gone()
    this.#client.release(discard ?? false)
  }
  /** Breaks the connection, so that pending queries fail at once. */
  giveUp(): void {
    this.release(true)
  }
}

/**
 * The connection pool of a process. Fails at once while the database is known to be unavailable, and lets no query wait
 * on a dead connection.
 */
export class GuardedPool implements PostgresPool {
  readonly options: PostgresPool['options']
  #pool: pg.Pool
  #leases = new Set<Lease>()
  #away = false
  constructor(config: pg.PoolConfig) {
    this.options = { ...config }
    this.#pool = new pg.Pool(config)
    // An idle connection that breaks must not end the process: the next query says what is wrong.
    this.#pool.on('error', () => {})
    // Nor one that breaks in somebody's hands, between two of their statements: there the pool does not listen.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }
  async connect(): Promise<PostgresPoolClient> {
    if (this.#away) throw new DatabaseAway(sentence)
    const lease = new Lease(await this.#pool.connect(), (gone) => this.#leases.delete(gone))
    this.#leases.add(lease)
    return lease
  }
  /** Gets the database's state; when it becomes unavailable, pending queries fail. */
  set away(away: boolean) {
    this.#away = away
    if (away) for (const lease of [...this.#leases]) lease.giveUp()
  }
  /** Breaks the connections whose statement has been running for longer than that: the server's own limit did not reach them. */
  giveUpOlderThan(milliseconds: number): void {
    const moment = Date.now() - milliseconds
    for (const lease of [...this.#leases]) if (lease.isOlderThan(moment)) lease.giveUp()
  }
  end(): Promise<void> {
    return this.#pool.end()
  }
}
