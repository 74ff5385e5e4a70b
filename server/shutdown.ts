import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Services } from './core/context.ts'
import { closeServices } from './services.ts'

/** How long running requests may take to finish before they are cut off (ms). */
const FINISH_MS = 10_000
/** Longer than all steps together; whatever is unfinished by then is killed. */
export const LEAVE_WITHIN_MS = FINISH_MS + 10_000

/**
 * Shuts down unnoticed behind a proxy; running jobs return to the queue at once.
 * For `drain` milliseconds, /healthz is 503 and every response closes its connection, so that proxies turn away.
 * Then it stops listening, ends live streams, finishes requests and closes the services.
 */
export async function shutdownGracefully(app: FastifyInstance, services: Services, drain: number): Promise<void> {
  services.stopping = true
  const jobs = services.jobs.close()
  await delay(drain)
  const late = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  await app.close()
  clearTimeout(late)
  await jobs
  await closeServices(services)
}
