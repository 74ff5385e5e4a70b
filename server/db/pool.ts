import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { DatabaseUnavailable, isReadOnly } from './dbErrors.ts'
import { tagged } from './statementTag.ts'

const sentence = 'the database is unavailable'

/** How long (ms) callers wait for a commit: one that waits for a lost replica also keeps its locks. */
export interface Waits {
  /** For a commit, and for a write outside a transaction. */
  commit: number
  /** For a lock, within a transaction. */
  lock: number
}

/** Connections whose commit stopped waiting for a replica, so that a failover may lose what they wrote. */
const unreplicated = new WeakSet<pg.PoolClient>()

/** A checked-out connection that can be broken if the database stops responding. */
class Lease implements PostgresPoolClient {
  #client: pg.PoolClient
  #gone: () => void
  #waits: Waits | undefined
  #inTransaction = false
  #since = 0
  #over = false
  #stale = false
  constructor(client: pg.PoolClient, gone: (lease: Lease) => void, waits?: Waits) {
    this.#waits = waits
    this.#client = client
    this.#gone = () => gone(this)
  }
  query<R>(text: unknown, values?: unknown): never {
    return this.#query(text as string, values as unknown[]) as Promise<PostgresQueryResult<R>> as never
  }
  async #query(text: string, values: unknown[]) {
    if (this.#over) throw new DatabaseUnavailable(sentence)
    this.#since = Date.now()
    const waits = this.#waits
    const commits = text === 'commit' || (!this.#inTransaction && /^(insert|update|delete)\b/i.test(text))
    const late = waits && commits ? setTimeout(() => this.giveUp(), waits.commit) : undefined
    // In the same message, as a pooler accepts no setting for longer than a transaction.
    const sent = waits && text === 'begin' ? `begin; set local lock_timeout = ${waits.lock}` : text
    try {
      if (/^(begin|commit|rollback)$/.test(text)) this.#inTransaction = text === 'begin'
      const result = await this.#client.query(tagged(sent), values)
      if (unreplicated.delete(this.#client)) throw new DatabaseUnavailable('a commit did not reach the replica it waited for')
      return result
    } catch (error) {
      // Behind the same address another server is the primary by now.
      this.#stale ||= isReadOnly(error)
      throw error
    } finally {
      clearTimeout(late)
      this.#since = 0
    }
  }
  /** True if its statement has been running since before this moment. */
  isOlderThan(moment: number): boolean {
    return this.#since > 0 && this.#since < moment
  }
  release(discard?: boolean): void {
    if (this.#over) return
    this.#over = true
    this.#gone()
    this.#client.release(discard || this.#stale)
  }
  /** Breaks the connection, so that pending queries fail at once. */
  giveUp(): void {
    this.release(true)
  }
}

/** A process's connection pool: fails at once while the database is unavailable, and abandons dead connections. */
export class GuardedPool implements PostgresPool {
  readonly options: PostgresPool['options']
  #pool: pg.Pool
  #leases = new Set<Lease>()
  #away = false
  #waits: Waits | undefined
  constructor(config: pg.PoolConfig, waits?: Waits) {
    this.#waits = waits
    this.options = { ...config }
    this.#pool = new pg.Pool(config)
    // A broken idle connection must not end the process; the next query reports the error.
    this.#pool.on('error', () => {})
    // Nor may a checked-out one that breaks between two statements, when the pool doesn't listen.
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      client.on('notice', ({ routine }) => routine === 'SyncRepWaitForLSN' && unreplicated.add(client))
    })
  }
  async connect(): Promise<PostgresPoolClient> {
    if (this.#away) throw new DatabaseUnavailable(sentence)
    const lease = new Lease(await this.#pool.connect(), (gone) => this.#leases.delete(gone), this.#waits)
    this.#leases.add(lease)
    return lease
  }
  /** Connections in use and idle, and callers that wait for one. */
  connections(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }
  /** Sets whether the database is unavailable; pending queries fail when it becomes so. */
  set away(away: boolean) {
    this.#away = away
    if (away) for (const lease of [...this.#leases]) lease.giveUp()
  }
  /** Breaks connections whose statement outlived the server's own timeout, which can't have reached them. */
  giveUpOlderThan(milliseconds: number): void {
    const moment = Date.now() - milliseconds
    for (const lease of [...this.#leases]) if (lease.isOlderThan(moment)) lease.giveUp()
  }
  end(): Promise<void> {
    return this.#pool.end()
  }
}
