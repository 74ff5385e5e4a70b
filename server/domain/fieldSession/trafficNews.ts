import { setTimeout as delay } from 'node:timers/promises'
import { ANONYMOUS } from '../../core/caller.ts'
import type { Services } from '../../core/context.ts'
import { asSystem } from '../../core/unitOfWork.ts'

/** The time between two announcements of a project's traffic. */
const ANNOUNCED_MS = 1000

interface Announced {
  at: number
  waits: boolean
}
const projects = new WeakMap<Services, Map<number, Announced>>()

/** Tells open workspaces and webhooks of a project's new figures: at once, and at most once a second. */
export function announceTraffic(services: Services, { project_id, survey_id }: { project_id: number; survey_id: number }): void {
  const known = projects.get(services) ?? new Map<number, Announced>()
  projects.set(services, known)
  const last = known.get(project_id) ?? { at: Number.NEGATIVE_INFINITY, waits: false }
  known.set(project_id, last)
  if (last.waits) return
  last.waits = true
  const announceInTurn = async () => {
    const wait = last.at + ANNOUNCED_MS - performance.now()
    if (wait > 0) await delay(wait, undefined, { ref: false })
    last.waits = false
    last.at = performance.now()
    if (services.stopping) return
    await asSystem(services, 'fieldSession.traffic', ANONYMOUS, async (ctx) => {
      ctx.emit({ noun: 'runtime', id: survey_id, project_id, kind: 'counters' })
      ctx.emit({ noun: 'project', id: project_id, project_id, kind: 'counters' })
    }).catch((error: unknown) => {
      services.log.warn({ err: error }, 'new figures of a project were not announced')
    })
  }
  void announceInTurn()
}
