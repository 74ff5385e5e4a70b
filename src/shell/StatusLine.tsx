import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { type Connection, connectionAtom } from '../data/connection.ts'
import { meAtom } from '../data/session.ts'
import { useCall } from '../data/useCall.ts'
import { worksAtom } from '../runner/runnerState.ts'
import { hintsAtom } from '../runner/shortcuts.ts'
import { cx } from '../ui/cx.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Mark } from '../ui/Pill.tsx'
import { useDelayed } from '../ui/useDelayed.ts'
import { layoutAtom, narrowAtom, thumbAtom } from '../workspace/workspaceState.ts'

const JobsLine = loadable(() => import('./JobsLine.tsx').then((module) => module.JobsLine))
const JobsRunning = loadable(() => import('./JobsLine.tsx').then((module) => module.JobsRunning))
const LinkedChip = loadable(() => import('../compare/LinkedChip.tsx').then((module) => module.LinkedChip))
const SyncScroll = loadable(() => import('../compare/SyncScroll.tsx').then((module) => module.SyncScroll))

const ThumbBar = loadable(() => import('./NarrowLayout.tsx').then((module) => module.ThumbBar), <div className="h-13" />)

/** Shortcuts, running work, the live connection, and whom the user acts as; on a phone the bar at the bottom. */
export function StatusLine() {
  const narrow = useAtomValue(narrowAtom)
  return narrow ? <NarrowLine /> : <WideLine />
}

function WideLine() {
  const me = useAtomValue(meAtom)
  const offline = useOffline()
  return (
    <footer
      className={cx(
        'flex h-status shrink-0 items-center gap-4 overflow-hidden border-t border-line px-3 text-meta',
        offline ? 'bg-amber-wash text-amber-ink' : 'bg-surface text-muted',
      )}
    >
      {offline ? <Offline /> : <Hints />}
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

/** In a narrow window: running work and problems, if any, and the bar below. */
function NarrowLine() {
  const bar = useAtomValue(thumbAtom)
  const offline = useOffline()
  return (
    <footer className="shrink-0 bg-surface text-meta text-muted">
      {offline && (
        <p className="border-t border-line bg-amber-wash px-3 py-1 text-amber-ink">
          <Offline />
        </p>
      )}
      <div className="flex min-h-status flex-wrap items-center gap-x-4 overflow-hidden border-t border-line px-3 empty:hidden">
        <Linked />
        <Works />
        <RunningJobs />
      </div>
      <span className="sr-only">
        <Live />
      </span>
      {bar && <ThumbBar />}
    </footer>
  )
}

/** True while the browser is offline, or the server has been unreachable for a moment. */
function useOffline(): boolean {
  const lost = useAtomValue(connectionAtom) === 'lost'
  const [off, setOff] = useState(!navigator.onLine)
  useEffect(() => {
    const read = () => setOff(!navigator.onLine)
    addEventListener('online', read)
    addEventListener('offline', read)
    return () => {
      removeEventListener('online', read)
      removeEventListener('offline', read)
    }
  }, [])
  return useDelayed(lost, OFFLINE_MS) || off
}
/** How long (ms) a lost connection stays unmentioned; a restart of the server takes less. */
const OFFLINE_MS = 3000

const Offline = () => (
  <span role="alert" className="min-w-0 truncate max-sm:whitespace-normal">
    You’re offline. What you see may be out of date; Fieldwork reconnects by itself.
  </span>
)

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

/** The comparison's chip and synchronized scrolling, loaded when columns are first linked. */
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

/** This page's running work; the line loads when work first starts. */
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
  const connection = useAtomValue(connectionAtom)
  const { word, className, about } = WORDS[connection]
  // That a page connects as it should is no news.
  const [wasLost, setWasLost] = useState(false)
  if (connection === 'lost' && !wasLost) setWasLost(true)
  return (
    <span role="status" aria-live={wasLost ? 'polite' : 'off'} title={about} className="flex items-center gap-1.5">
      <Mark shape={word === 'live' ? 'dot' : 'ring'} className={cx(className)} />
      {word}
    </span>
  )
}
