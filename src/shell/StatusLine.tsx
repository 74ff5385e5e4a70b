import { useAtomValue } from 'jotai'
import { type Connection, connectionAtom } from '../data/connection.ts'
import { meAtom } from '../data/session.ts'
import { useCall } from '../data/useCall.ts'
import { worksAtom } from '../runner/runnerState.ts'
import { hintsAtom } from '../runner/shortcuts.ts'
import { cx } from '../ui/cx.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Mark } from '../ui/Pill.tsx'
import { layoutAtom } from '../workspace/workspaceState.ts'

const JobsLine = loadable(() => import('./jobsline.tsx').then((module) => module.JobsLine))
const JobsRunning = loadable(() => import('./jobsline.tsx').then((module) => module.JobsRunning))
const LinkedChip = loadable(() => import('../compare/LinkedChip.tsx').then((module) => module.LinkedChip))
const SyncScroll = loadable(() => import('../compare/SyncScroll.tsx').then((module) => module.SyncScroll))

/** Shortcuts, running work, the live connection, and who the user acts as. */
export function StatusLine() {
  const me = useAtomValue(meAtom)
  return (
    <footer className="flex h-status shrink-0 items-center gap-4 overflow-hidden border-t border-line bg-surface px-3 text-meta text-muted">
      <Hints />
      <span className="ml-auto flex shrink-0 items-center gap-4">
        <Linked />
        <Works />
        <RunningJobs />
        {me?.acting && (
          <span className="text-amber-ink">
            acting as {me.first_name} {me.last_name}
          </span>
        )}
        <Live />
      </span>
    </footer>
  )
}

function Hints() {
  const hints = useAtomValue(hintsAtom)
  return (
    <ul aria-label="Keys that work here" className="flex min-w-0 gap-4 overflow-hidden max-sm:hidden">
      {hints.map(({ keys, label }) => (
        <li key={keys + label} className="flex shrink-0 items-center gap-1.5">
          <Kbd keys={keys} className="leading-[14px]!" />
          {label}
        </li>
      ))}
    </ul>
  )
}

/** The comparison's chip and synchronised scrolling; loaded when columns are first linked. */
function Linked() {
  const { linked } = useAtomValue(layoutAtom)
  return linked ? (
    <>
      <SyncScroll />
      <LinkedChip />
    </>
  ) : null
}

function RunningJobs() {
  const { data } = useCall('job.list', { status: 'open', mine: true })
  const jobs = data?.data ?? []
  return jobs.length ? <JobsRunning jobs={jobs} /> : null
}

/** This page's running work; its line loads with the first of it. */
function Works() {
  return useAtomValue(worksAtom).length ? <JobsLine /> : null
}

const WORDS: Record<Connection, { word: string; className: string; about: string }> = {
  connecting: { word: 'connecting', className: 'text-grey', about: 'Connecting…' },
  live: { word: 'live', className: 'text-green', about: 'Changes by others appear as they happen.' },
  lost: {
    word: 'reconnecting',
    className: 'text-amber',
    about: 'Can’t reach the server. Retrying…',
  },
}

function Live() {
  const { word, className, about } = WORDS[useAtomValue(connectionAtom)]
  return (
    <span role="status" title={about} className="flex items-center gap-1.5">
      <Mark shape={word === 'live' ? 'dot' : 'ring'} className={cx(className)} />
      {word}
    </span>
  )
}
