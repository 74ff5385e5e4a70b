import type { FastifyInstance } from 'fastify'
import type { Services } from './core/context.ts'
import { closeServices } from './services.ts'

/** So long a request that is under way is waited for; what takes longer is cut off. */
const FINISH_MS = 10_000
/** Longer than all steps together; what is not done by then is killed. */
export const LEAVE_WITHIN_MS = FINISH_MS + 10_000

/**
 * Ends a server so that nobody behind a proxy notices. Its jobs go back to the queue at once; for `drain` milliseconds it answers on while
 * /healthz says 503 and every answer closes its connection, so that the proxy turns to the others; then it listens no more, sends the live
 * streams to another process, finishes what is under way and closes the services.
 */
export async function shutdownGracefully(app: FastifyInstance, services: Services, drain: number): Promise<void> {
  services.stopping = true
  const jobs = services.jobs.close()
  await new Promise((resolve) => setTimeout(resolve, drain))
  const late = setTimeout(() => app.server.closeAllConnections(), FINISH_MS)
  await app.close()
  clearTimeout(late)
  await jobs
  await closeServices(services)
}
