import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { CommitUnknown, DatabaseUnavailable, isReadOnly, postgresErrors, reasonOf } from './dbErrors.ts'
import { isBackground, tagged } from './statementTag.ts'

const sentence = 'the database is unavailable'

/** How long a connection on trial may take (ms). */
const TRY_MS = 3000

/** How long (ms) writes wait: a commit that waits for a lost replica also keeps its locks. */
export interface Waits {
  commit: number
  /** For each lock. */
  lock: number
  /** For jobs, which no caller waits for: for each lock, and for each statement instead of the server's own limit. */
  background: { lock: number; statement: number }
}

const WRITES = /^(insert|update|delete|merge)\b|^with\b[\s\S]*\b(insert into|update|delete from)\b/i
const READS = /^(select|with|values)\b/i
const BEGINS = /^(begin|start transaction)\b/

/** Connections whose commit stopped waiting for a replica, so that a failover may lose what they wrote. */
const unreplicated = new WeakSet<pg.PoolClient>()

/**
 * Sends a statement with a callback.
 * What pg's own promise returns outlives every small collection, so that a large file doubled the heap.
 */
const answerOf = (client: pg.PoolClient, text: string, values: unknown[] | undefined) =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(text, values ?? [], (error: Error | null, result) => (error ? reject(error) : resolve(result)))
  })

/** A checked-out connection that can be broken if the database stops responding. */
class Lease implements PostgresPoolClient {
  #client: pg.PoolClient
  #gone: () => void
  #waits: Waits | undefined
  #inTransaction = false
  #since = 0
  /** How long (ms) its statement may take, if that is more than usual. */
  #more = 0
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
    const writes = WRITES.test(text)
    const isAlone = this.#waits && !this.#inTransaction && (writes || (isBackground() && READS.test(text)))
    return isAlone ? this.#alone(text, values, writes) : this.#send(text, values)
  }
  /** Runs a statement in a transaction of its own, so that its limits and those of its commit are separate. */
  async #alone(text: string, values: unknown[], writes: boolean) {
    try {
      await this.#send('begin')
      const result = await this.#send(text, values)
      await this.#send('commit').catch((error: unknown) => {
        throw writes && postgresErrors.isUnavailable(error) ? new CommitUnknown(error) : error
      })
      return result
    } catch (error) {
      if (this.#inTransaction) await this.#send('rollback').catch(() => this.giveUp())
      throw error
    }
  }
  /** The statement that begins a transaction, with its limits: a pooler accepts none that outlive one. */
  #beginning(text: string): string {
    const waits = this.#waits
    if (!waits) return text
    if (!isBackground()) return `${text}; set local lock_timeout = ${waits.lock}`
    const { lock, statement } = waits.background
    return `${text}; set local lock_timeout = ${lock}; set local statement_timeout = ${statement}`
  }
  async #send(text: string, values?: unknown[]) {
    if (this.#over) throw new DatabaseUnavailable(sentence)
    const waits = this.#waits
    this.#since = performance.now()
    this.#more = waits && isBackground() ? waits.background.statement : 0
    const begins = BEGINS.test(text)
    const late = waits && text === 'commit' ? setTimeout(() => this.giveUp(), waits.commit) : undefined
    const sent = begins ? this.#beginning(text) : text
    try {
      if (begins || text === 'commit' || text === 'rollback') this.#inTransaction = begins
      const result = await answerOf(this.#client, tagged(sent), values)
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
  /** True if its statement has been running for longer than this, or than a job's may. */
  isOverdue(milliseconds: number): boolean {
    return this.#since > 0 && this.#since < performance.now() - Math.max(milliseconds, this.#more)
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

/** PgBouncer refuses an unknown user or database as a violation of the protocol. */
const isRefusalOfPooler = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '08P01'

/** A process's connection pool: fails at once while the database is unavailable, and abandons dead connections. */
export class GuardedPool implements PostgresPool {
  readonly options: PostgresPool['options']
  #pool: pg.Pool
  #leases = new Set<Lease>()
  #away = false
  #refusal: string | null = null
  #trying = false
  #waits: Waits | undefined
  constructor(config: pg.PoolConfig, waits?: Waits) {
    this.#waits = waits
    this.options = { ...config }
    this.#pool = new pg.Pool(config)
    // A broken idle connection must not end the process; the next query reports the error.
    this.#pool.on('error', () => {})
    // Nor may a checked-out one that breaks between two statements, when the pool doesn't listen.
    this.#pool.on('connect', (client) => {
      this.#refusal = null
      client.on('error', () => {})
      client.on('notice', ({ routine }) => routine === 'SyncRepWaitForLSN' && unreplicated.add(client))
    })
  }
  async connect(): Promise<PostgresPoolClient> {
    if (this.#away) throw new DatabaseUnavailable(sentence)
    const client = await this.#pool.connect().catch((error: unknown) => {
      this.#noteRefusal(error)
      // Whatever keeps a call from a connection (a password, a role, TLS), nothing was sent.
      throw postgresErrors.isUnavailable(error) ? error : new DatabaseUnavailable(reasonOf(error), { cause: error })
    })
    const lease = new Lease(client, (gone) => this.#leases.delete(gone), this.#waits)
    this.#leases.add(lease)
    return lease
  }
  /** Why PostgreSQL refuses new connections (a password, a role, TLS); null if it doesn't. */
  get refusal(): string | null {
    return this.#refusal
  }
  /** Opens a connection beside the pool's and closes it: those that are open say nothing about new ones. */
  async tryConnection(): Promise<void> {
    if (this.#trying || this.#away) return
    this.#trying = true
    const client = new pg.Client({ ...this.options, connectionTimeoutMillis: TRY_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      this.#refusal = null
    } catch (error) {
      this.#noteRefusal(error)
    } finally {
      this.#trying = false
      await client.end().catch(() => {})
    }
  }
  /** Silence and a lack of room are no refusal: the heartbeat and the pool notice these. */
  #noteRefusal(error: unknown): void {
    if (!postgresErrors.isUnavailable(error) || isRefusalOfPooler(error)) this.#refusal = reasonOf(error)
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
    for (const lease of [...this.#leases]) if (lease.isOverdue(milliseconds)) lease.giveUp()
  }
  end(): Promise<void> {
    return this.#pool.end()
  }
}
