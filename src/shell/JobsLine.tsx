import { useAtomValue } from 'jotai'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Output } from '../../contract/calls.ts'
import { href } from '../routing/routes.ts'
import { type Work, worksAtom } from '../runner/runnerState.ts'
import { IconButton } from '../ui/Button.tsx'
import { Progress } from '../ui/Progress.tsx'
import { useDelayed } from '../ui/useDelayed.ts'
import { openPath } from '../workspace/navigation.ts'

/** The page's running work and countdowns for the status line, each with Cancel. */
export function JobsLine() {
  const works = useAtomValue(worksAtom)
  const waiting = works.some((work) => work.until !== undefined)
  // Quick work never shows.
  const late = useDelayed(works.length > 0, 400)
  const shown = works.filter((work) => late || work.until !== undefined)
  const now = useClock(waiting)
  return shown.map((work) => (
    <span key={work.key} className="flex items-center gap-2">
      <span className="max-w-60 truncate">{wordsOf(work, now)}</span>
      {work.until === undefined && (
        <Progress label={work.title} value={work.total ? work.done / work.total : null} showValue className="w-28" />
      )}
      <IconButton label={`Cancel: ${work.title}`} onClick={work.cancel} className="size-5!">
        <X size={12} aria-hidden="true" />
      </IconButton>
    </span>
  ))
}

const wordsOf = (work: Work, now: number) =>
  work.until !== undefined
    ? `${work.title} in ${Math.max(0, Math.ceil((work.until - now) / 1000))} s`
    : work.total
      ? `${work.title}: ${work.done} of ${work.total}`
      : work.title

function useClock(on: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!on) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [on])
  return now
}

/** The user's jobs that run on the server, with a link to the list of jobs. */
export function JobsRunning({ jobs }: { jobs: Output<'job.list'>['data'] }) {
  const [first] = jobs
  if (!first) return null
  return (
    <button type="button" onClick={() => openPath(href('jobs'))} className="flex items-center gap-2 hover:text-ink">
      <span className="max-w-60 truncate">{jobs.length > 1 ? `${jobs.length} jobs are running` : first.title}</span>
      <Progress label={first.title} value={first.total ? first.done / first.total : null} showValue className="w-32" />
    </button>
  )
}
