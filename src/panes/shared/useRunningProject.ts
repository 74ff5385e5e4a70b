import { useMemo, useRef } from 'react'
import { count, showDay } from '../../../contract/format.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { displayToday } from '../../ui/displayZone.ts'
import type { Review } from './form/useRecordForm.ts'

/** Shown if the effects couldn't be computed. */
export const UNKNOWN_EFFECTS = 'Couldn’t check what this changes.'

/** The project fields that the first line uses. */
interface InField {
  stored_status: string
  start_dt: string | null
  ordered: number
  completed: number
}

/** True if forms of this project announce effects: active or paused. */
export const isInField = (project: Pick<InField, 'stored_status'>): boolean =>
  project.stored_status === 'active' || project.stored_status === 'paused'

/** Returns "In field since Nov 3, 412 of 600 completes". */
export function inFieldLine(project: InField, today: string): string {
  const figures = `${count(project.completed)} of ${count(project.ordered)} completes`
  const paused = project.stored_status === 'paused' ? 'Paused, in field' : 'In field'
  const { start_dt } = project
  if (!start_dt) return `${paused}, ${figures}`
  const since = showDay(start_dt, start_dt.slice(0, 4) === today.slice(0, 4) ? 'day' : 'day and year')
  return start_dt > today ? `Live, starts ${since}, ${figures}` : `${paused} since ${since}, ${figures}`
}

/** Returns one sentence per effect of saving a change; may call the server. */
export type EffectsOf<Change> = (change: Change) => Promise<readonly string[]> | readonly string[]

/** What a form needs to know of its running project. */
export interface Running<Change> {
  /** The first line; null if the project isn't in field, or hasn't loaded. */
  line: string | null
  /** The effects of a change; the latest is cached. Rejects if they can't be computed. */
  effects(change: Change): Promise<readonly string[]>
  /** `review` for `useRecordForm`: null if the project isn't in field, which saves right away. */
  review(change: Change): Promise<Review | null>
}

/**
 * Tracks the running project behind a form (screens-projects, "Running project").
 * Pass `review` to the form, and render `RunningProject` above its sections.
 * `projectId` is null while it isn't known.
 */
export function useRunningProject<Change>(projectId: number | null, effects: EffectsOf<Change>): Running<Change> {
  const project = useCall('project.get', projectId === null ? null : { id: projectId }, { fresh: true }).data?.data
  const latest = useRef({ project, effects })
  latest.current = { project, effects }
  const ask = useMemo(() => {
    let known: { key: string; effects: Promise<readonly string[]> } | null = null
    return (change: Change): Promise<readonly string[]> => {
      const key = JSON.stringify(change)
      if (known?.key === key) return known.effects
      const request = { key, effects: Promise.resolve(latest.current.effects(change)) }
      known = request
      request.effects.catch(() => {
        if (known === request) known = null
      })
      return request.effects
    }
  }, [])
  const today = displayToday()
  return {
    line: project && isInField(project) ? inFieldLine(project, today) : null,
    effects: ask,
    async review(change) {
      const now =
        latest.current.project ??
        (projectId === null
          ? null
          : await api
              .read('project.get', { id: projectId })
              .then(({ data }) => data)
              .catch(() => null))
      if (!now || !isInField(now)) return null
      const lines = await ask(change).catch(() => [UNKNOWN_EFFECTS])
      return { title: 'Save to a running project?', lines: [`${inFieldLine(now, today)}.`, ...lines], confirm: 'Save' }
    },
  }
}
