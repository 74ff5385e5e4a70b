import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'

/** The callbacks of a listener. */
export interface Listener {
  /**
   * A process has committed events up to this id.
   * It is null after the connection was down, and from a process of an older release.
   */
  onNotify(last: number | null): void
  /** Called when the database becomes available or unavailable. */
  onAvailability(is: boolean): void
  /** Called with each beat. */
  beat(): void
}

/** How often the listening connection is checked, and how long the check may take. */
const BEAT_MS = 2000
const ANSWER_MS = 3000
const CONNECT_MS = 3000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000

/**
 * Holds a connection that listens to `NOTIFY fieldwork` and checks it, because a hanging one reports nothing.
 * One to a server that is no longer the primary, or that no longer listens, hears nothing either and counts as broken.
 * A broken connection is reopened at once, then after growing pauses.
 * Only a failed attempt means that the database is unavailable.
 * Throws if the first attempt fails, except for a `standby`, which can't listen and may be missing for now.
 * Returns the function that stops it.
 */
export async function heartbeat(config: pg.ClientConfig, listener: Listener, standby = false): Promise<() => Promise<void>> {
  let stopped = false
  let wake = () => {}
  const connection = () => open(config, listener.onNotify, standby ? 'select 1' : 'listen fieldwork')
  let client = await connection().catch((error: unknown) => {
    if (!standby) throw error
    listener.onAvailability(false)
    return null
  })

  const pause = (ms: number) => {
    const woken = new AbortController()
    wake = () => woken.abort()
    return delay(ms, undefined, { ref: false, signal: woken.signal }).catch(() => {})
  }

  /** Resolves when the connection is dead. */
  const beating = async (client: pg.Client) => {
    let ended = false
    client.once('end', () => {
      ended = true
      wake()
    })
    for (;;) {
      await pause(BEAT_MS)
      if (ended || stopped) return
      listener.beat()
      if (!(await answers(client, standby))) return
    }
  }

  const reopened = async () => {
    for (let wait = FIRST_PAUSE_MS; !stopped; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      try {
        client = await connection()
        if (stopped) return await close(client)
        listener.onAvailability(true)
        // Notifications were missed in between.
        listener.onNotify(null)
        return
      } catch (error) {
        // A server with no room for another connection is still available.
        if (!/^53/.test(String((error as { code?: unknown }).code))) listener.onAvailability(false)
        await pause(wait)
      }
    }
  }

  const loop = (async () => {
    while (!stopped) {
      if (client) {
        await beating(client)
        await close(client)
      }
      if (!stopped) await reopened()
    }
  })()
  return async () => {
    stopped = true
    wake()
    if (client) await close(client)
    await loop
  }
}

async function open(config: pg.ClientConfig, onNotify: Listener['onNotify'], greeting: string): Promise<pg.Client> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: CONNECT_MS })
  // The `end` event reports a broken connection.
  client.on('error', () => {})
  client.on('notification', ({ payload }) => onNotify(payload ? Number(payload) : null))
  try {
    await client.connect()
    await within(client.query(greeting), ANSWER_MS)
    return client
  } catch (error) {
    void close(client)
    throw error
  }
}

/** A pooler may have given the connection another session, which listens to nothing. */
const HEARS = `select not pg_is_in_recovery() and 'fieldwork' in (select pg_listening_channels()) as hears`

const answers = (client: pg.Client, standby: boolean): Promise<boolean> =>
  within(client.query<{ hears: boolean }>(HEARS), ANSWER_MS).then(
    ({ rows }) => standby || rows[0]?.hears === true,
    () => false,
  )

/** Ends a connection, even if the other side doesn't respond. */
async function close(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => {})
  await within(ended, 500).catch(() => {
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  })
}

/** Throws on a timeout, after one more turn in which a busy process reads what has arrived. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(async () => {
      await turn()
      await turn()
      reject(new Error(`timeout exceeded: no response within ${ms} ms`))
    }, ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
