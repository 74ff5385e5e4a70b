import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { seenSince } from '../core/authenticate.ts'
import type { Services } from '../core/context.ts'
import type { Metrics } from '../core/ports.ts'
import { portTrouble } from '../core/portTrouble.ts'
import { RELEASE } from '../core/release.ts'
import { idsUsed } from '../db/idRange.ts'
import { lastBackup } from '../domain/lastBackup.ts'
import { backlogOf, lagOf } from '../jobs/backlog.ts'
import { openStreams } from '../live/stream.ts'

/** The monitoring of a process: metrics for Prometheus on a port of its own, which no proxy forwards to. */
export interface Monitoring {
  /** Counts a server's responses. */
  watch(app: FastifyInstance): void
  /** Serves `GET /metrics`; returns the address. */
  listen(port: number, host: string): Promise<string>
  close(): Promise<void>
}

/** Seconds, from a cached read to what people won't wait for. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** A session with a request within this time counts as active. */
const ACTIVE_MS = 5 * 60_000

/** Opens a process's metrics, and lets handlers add to them through `services.metrics`. */
export function openMonitoring(services: Services): Monitoring {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const calls = new Histogram({
    name: 'fieldwork_call_duration_seconds',
    help: 'Time from a request to its response, by call and status class.',
    labelNames: ['call', 'status'] as const,
    buckets: BUCKETS,
    registers,
  })
  const flying = new Gauge({ name: 'fieldwork_requests_in_flight', help: 'Requests without a response yet.', registers })
  const intake = new Counter({
    name: 'fieldwork_intake_rows_total',
    help: 'Respondents and visits that intake added.',
    labelNames: ['what'] as const,
    registers,
  })
  const metrics: Metrics = { took: (what, rows) => intake.inc({ what }, rows) }
  services.metrics = metrics
  addGauges(services, registers)
  let server: Server | undefined
  return {
    watch(app) {
      app.addHook('onRequest', async (_request, reply) => {
        flying.inc()
        reply.raw.once('close', () => flying.dec())
      })
      app.addHook('onResponse', async (request, reply) => {
        const call = request.routeOptions.config.call ?? (request.is404 ? 'unknown' : 'other')
        calls.observe({ call, status: `${Math.floor(reply.statusCode / 100)}xx` }, reply.elapsedTime / 1000)
      })
    },
    async listen(port, host) {
      server = createServer(async (request, response) => {
        if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
        try {
          const text = await register.metrics()
          response.writeHead(200, { 'content-type': register.contentType }).end(text)
        } catch (error) {
          services.log.error({ err: error }, 'metrics failed')
          response.writeHead(500).end()
        }
      })
      await new Promise<void>((resolve, reject) => {
        const taken = (error: NodeJS.ErrnoException) =>
          reject(portTrouble(error, host, port, 'METRICS_PORT', 'METRICS_HOST') ?? error)
        server?.once('error', taken).listen(port, host, resolve)
      })
      const at = server.address()
      return `http://${host.includes(':') ? `[${host}]` : host}:${at && typeof at === 'object' ? at.port : port}/metrics`
    },
    async close() {
      register.clear()
      const closed = new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
      // Prometheus keeps its connection open.
      server?.closeAllConnections()
      await closed
    },
  }
}

/** Metrics read at each scrape; those of an unavailable database are left out. */
function addGauges(services: Services, registers: Registry[]): void {
  const { database, live, replicas } = services
  if (replicas)
    new Counter({
      name: 'fieldwork_replica_reads_total',
      help: 'Reads by a replica, on the primary as none was far enough, or repeated there after a failure.',
      labelNames: ['outcome'] as const,
      registers,
      collect() {
        this.reset()
        for (const [outcome, count] of Object.entries(replicas.reads())) this.inc({ outcome }, count)
      },
    })
  let there = true
  live.watch((is) => {
    there = is
  })
  new Gauge({
    name: 'fieldwork_database_up',
    help: '1 while the database responds.',
    registers,
    collect() {
      this.set(there ? 1 : 0)
    },
  })
  new Gauge({
    name: 'fieldwork_build_info',
    help: 'Always 1; its labels are the release and the version of Node.',
    labelNames: ['release', 'node'] as const,
    registers,
  }).set({ release: RELEASE, node: process.version }, 1)
  new Gauge({
    name: 'fieldwork_live_streams',
    help: 'Open live streams of this process.',
    registers,
    collect() {
      this.set(openStreams(services))
    },
  })
  new Gauge({
    name: 'fieldwork_database_connections',
    help: 'Connections of this process to PostgreSQL, by state; waiting counts callers without one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const [state, count] of Object.entries(database.connections())) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'fieldwork_sessions_active',
    help: 'Sessions with a request in the last five minutes, in the whole installation.',
    registers,
    async collect() {
      const since = new Date(services.now().getTime() - ACTIVE_MS).toISOString()
      const active = await read(() => seenSince(database.db, since))
      this.reset()
      if (active !== null) this.set(active)
    },
  })
  new Gauge({
    name: 'fieldwork_jobs',
    help: 'Jobs and emails that are queued or running, in the whole installation.',
    labelNames: ['kind', 'status'] as const,
    registers,
    async collect() {
      const rows = await read(() => backlogOf(database.db))
      this.reset()
      for (const { kind, status, count } of rows ?? []) this.set({ kind, status }, count)
    },
  })
  new Gauge({
    name: 'fieldwork_queue_lag_seconds',
    help: 'How long the oldest due job or email has waited.',
    labelNames: ['queue'] as const,
    registers,
    async collect() {
      const rows = await read(() => lagOf(database.db, services.now()))
      this.reset()
      for (const { queue, seconds } of rows ?? []) this.set({ queue }, seconds)
    },
  })

  new Gauge({
    name: 'fieldwork_ids_used_ratio',
    help: 'How much of its ids each table has used, from 0 to 1 (PostgreSQL); writes fail at 1.',
    labelNames: ['table'] as const,
    registers,
    async collect() {
      const rows = await read(() => idsUsed(database))
      this.reset()
      for (const { table, used } of rows ?? []) this.set({ table }, used)
    },
  })

  new Gauge({
    name: 'fieldwork_files_missing',
    help: 'Files of a sample, looked at each hour, whose content the store lacks.',
    registers,
    collect() {
      this.set(services.contents.missing)
    },
  })
  new Gauge({
    name: 'fieldwork_last_backup_timestamp_seconds',
    help: 'When the last whole backup by npm run backup was made; 0 if none was.',
    registers,
    async collect() {
      const at = await read(async () => ({ last: await lastBackup(database.db) }))
      this.reset()
      if (at) this.set((at.last?.getTime() ?? 0) / 1000)
    },
  })

  /** Null while the database is unavailable, so that the other metrics can still be read. */
  async function read<T>(work: () => Promise<T>): Promise<T | null> {
    return there ? await work().catch((error: unknown) => (database.isUnavailable(error) ? null : Promise.reject(error))) : null
  }
}
