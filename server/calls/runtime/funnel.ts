import type { Funnel } from '../../../contract/runtime.ts'
import type { Services } from '../../core/context.ts'

const GUARD = 2000
const MOST = 1000
const recent = new WeakMap<Services, Map<string, { at: number; event: number; funnel: Promise<Funnel> }>>()

/**
 * The funnel's two-second guard (projects-area 7): a repeated call shares the running or recent result.
 * A 429 would show as an error on the page. A change in between starts a new count.
 */
export async function recentFunnel(services: Services, key: string, count: () => Promise<Funnel>): Promise<Funnel> {
  const known = recent.get(services) ?? new Map<string, { at: number; event: number; funnel: Promise<Funnel> }>()
  recent.set(services, known)
  const [at, event] = [performance.now(), await services.live.last()]
  const last = known.get(key)
  if (last && at - last.at < GUARD && last.event === event) return last.funnel
  if (known.size >= MOST) known.clear()
  const funnel = count()
  known.set(key, { at, event, funnel })
  funnel.catch(() => known.delete(key))
  return funnel
}
