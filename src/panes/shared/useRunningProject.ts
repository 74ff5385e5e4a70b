import { useEffect, useRef, useState } from 'react'
import { count, showDay } from '../../../contract/format.ts'
import { civilToday } from '../../../contract/pacing.ts'
import { api } from '../../data/apiClient.ts'
import { store } from '../../data/jotaiStore.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { useCall } from '../../data/useCall.ts'
import { present } from '../../runner/present.ts'

/** How long after the last change the effects are worked out again. */
const AFTER_MS = 300
/** Shown in place of effects that couldn't be worked out. */
export const UNKNOWN_EFFECTS = 'Couldn’t work out what this changes.'

/** What the head line says of a project. */
interface InField {
  stored_status: string
  start_dt: string | null
  ordered: number
  completed: number
}

/** True for a project that takes part in the running-project review: active or paused. */
export const isInField = (project: Pick<InField, 'stored_status'>): boolean =>
  project.stored_status === 'active' || project.stored_status === 'paused'

/** The band's head line: "In field since Nov 3, 412 of 600 completes". */
export function inFieldLine(project: InField, today: string): string {
  const figures = `${count(project.completed)} of ${count(project.ordered)} completes`
  const paused = project.stored_status === 'paused' ? 'Paused, in field' : 'In field'
  const { start_dt } = project
  if (!start_dt) return `${paused}, ${figures}`
  const since = showDay(start_dt, start_dt.slice(0, 4) === today.slice(0, 4) ? 'day' : 'day and year')
  return start_dt > today ? `Live, starts ${since}, ${figures}` : `${paused} since ${since}, ${figures}`
}

/** What a form needs of a running project: pass it to `RunningProject`, and save through `save`. */
export interface Running {
  /** The band's head line; null while the project isn't in field, or isn't known yet. */
  line: string | null
  /** One sentence an effect of what is typed now; null while they are worked out. */
  effects: readonly string[] | null
  failed: boolean
  retry(): void
  /** The review, while it is open. */
  review: { effects: readonly string[]; confirm(): void; cancel(): void } | null
  /**
   * Runs `run` at once if the project isn't in field, else once the review is confirmed.
   * `waits` is `attention()`, taken when the user asked to save; `name` is what is saved.
   */
  save(run: () => void, waits: () => boolean, name: string): Promise<void>
}

/**
 * The running project behind a form (screens-projects, "Running project").
 * `change` is what the form would write, as plain JSON, or null while it would write nothing.
 * `effects` returns one sentence for each effect of such a change; it may ask the server.
 */
export function useRunningProject<Change>({
  projectId,
  change,
  effects,
}: {
  /** Null while it isn't known. */
  projectId: number | null
  change: Change | null
  effects(change: Change): Promise<readonly string[]> | readonly string[]
}): Running {
  const project = useCall('project.get', projectId === null ? null : { id: projectId }, { fresh: true }).data?.data
  const inField = project !== undefined && isInField(project)
  const key = change === null ? null : JSON.stringify(change)
  const latest = useRef({ change, effects, project })
  latest.current = { change, effects, project }
  const [found, setFound] = useState<{ key: string; effects: readonly string[] | null } | null>(null)
  const [round, setRound] = useState(0)
  const [review, setReview] = useState<Running['review']>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` is a retry
  useEffect(() => {
    if (!inField || key === null) return setFound(null)
    let current = true
    const timer = setTimeout(() => {
      void workOut(latest.current).then((effects) => current && setFound({ key, effects }))
    }, AFTER_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [inField, key, round])

  const known = found !== null && found.key === key ? found : null
  return {
    line: inField ? inFieldLine(project, civilToday(store.get(preferencesAtom).time_zone || 'America/New_York')) : null,
    effects: key === null ? [] : (known?.effects ?? null),
    failed: known !== null && known.effects === null,
    retry: () => {
      setFound(null)
      setRound((now) => now + 1)
    },
    review,
    async save(run, waits, name) {
      const now =
        latest.current.project ??
        (projectId === null ? null : await api.read('project.get', { id: projectId }).then(dataOf, none))
      if (!now || !isInField(now) || key === null) return run()
      const lines = known?.effects ?? (await workOut(latest.current))
      const cancel = () => setReview(null)
      const confirm = () => {
        cancel()
        run()
      }
      const open = () => setReview({ effects: lines ?? [UNKNOWN_EFFECTS], confirm, cancel })
      present(waits, { open, close: cancel }, `“${name}” isn’t saved yet`, { detail: 'Its project is in field.' })
    },
  }
}

const none = () => null
const dataOf = <T>({ data }: { data: T }): T => data

async function workOut<Change>({
  change,
  effects,
}: {
  change: Change | null
  effects(change: Change): Promise<readonly string[]> | readonly string[]
}): Promise<readonly string[] | null> {
  try {
    return change === null ? [] : await effects(change)
  } catch {
    return null
  }
}
