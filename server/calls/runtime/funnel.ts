import type { Funnel } from '../../../contract/runtime.ts'
import type { Services } from '../../core/context.ts'

const GUARD = 2000
const MOST = 1000
const recent = new WeakMap<Services, Map<string, { at: number; event: number; funnel: Promise<Funnel> }>>()

/**
 * The two-second guard of the performance funnel (projects-area 7): a caller who asks again for the same project and
 * filters gets the existing or running result instead of a refusal, which a page would show as an error. A change in
 * between starts a new count.
 */
export async function recentFunnel(services: Services, key: string, count: () => Promise<Funnel>): Promise<Funnel> {
  const known = recent.get(services) ?? new Map<string, { at: number; event: number; funnel: Promise<Funnel> }>()
  recent.set(services, known)
  const [at, event] = [Date.now(), await services.live.last()]
  const last = known.get(key)
  if (last && at - last.at < GUARD && last.event === event) return last.funnel
  if (known.size >= MOST) known.clear()
  const funnel = count()
  known.set(key, { at, event, funnel })
  funnel.catch(() => known.delete(key))
  return funnel
}
