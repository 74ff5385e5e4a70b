import { atom, useAtom, useAtomValue } from 'jotai'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { letsIn } from '../../contract/actor.ts'
import { count } from '../../contract/format.ts'
import { browserStore } from '../data/browserStore.ts'
import { deskAtom } from '../data/desk.ts'
import { pinnedAtom } from '../data/favouriteAtoms.ts'
import { useMay } from '../data/permissions.ts'
import { configAtom, meAtom } from '../data/session.ts'
import { activePane } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { type RouteId, rowOf, sections } from '../routing/routes.ts'
import { entryOf } from '../routing/tabs.ts'
import { shortcutsAtom } from '../runner/shortcuts.ts'
import { cx } from '../ui/cx.ts'
import { whenIdle } from '../ui/idle.ts'
import { ariaKeys, Kbd } from '../ui/Kbd.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Badge } from '../ui/Pill.tsx'
import { readSidebar, sidebarAtom, workspace } from '../workspace/currentWorkspace.ts'
import { PaneLink } from '../workspace/PaneLink.tsx'
import { layoutAtom, narrowAtom } from '../workspace/workspaceState.ts'

/** Loads when the page is idle, after the screens. */
const ChannelCount = loadable(async () => {
  await new Promise<void>((then) => whenIdle(then, LATEST_MS))
  return (await import('./ChannelCount.tsx')).ChannelCount
})
const LATEST_MS = 3000
const Favourites = loadable(() => import('./Favourites.tsx').then((module) => module.Favourites))

/** How many lines the desk has. */
function DeskBadge() {
  const open = useAtomValue(deskAtom)?.open
  return open ? (
    <Badge className="ml-auto tabular-nums">
      {count(open)}
      <span className="sr-only"> {open === 1 ? 'needs' : 'need'} you</span>
    </Badge>
  ) : null
}

const CLOSED = 'fieldwork.sections'
const closedAtom = atom<readonly string[]>(readClosed())
function readClosed(): string[] {
  return (browserStore.text(CLOSED) ?? '').split(',').filter(Boolean)
}

/** The sidebar's five sections as the user may see them, with shortcuts. */
export function Sidebar() {
  const narrow = useAtomValue(narrowAtom)
  const role = useAtomValue(meAtom)?.role ?? 'client'
  const all = useMay('project.seeAll')
  const pins = useAtomValue(pinnedAtom).length > 0
  const [open, setOpen] = useAtom(sidebarAtom)
  const found = match(activePane(useAtomValue(layoutAtom)).ref)
  const here = found?.id
  useUsage(here)
  // Closes when the window becomes narrow, because it would cover the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the window
  useEffect(() => setOpen(readSidebar()), [narrow])
  if (!open) return null
  return (
    <nav
      id="sidebar"
      aria-label="Screens"
      className={cx(
        'w-52 shrink-0 overflow-y-auto border-r border-line bg-ground p-2',
        narrow && 'absolute inset-y-0 left-0 z-30 shadow-float',
      )}
    >
      {pins && <Favourites onOpen={() => narrow && workspace.toggleSidebar()} />}
      {sections.map(({ section, title, entries }) => {
        const seen = entries.filter(({ id }) => letsIn(rowOf(id).access, { role }) && !(all && rowOf(id).menu?.only))
        return (
          seen.length > 0 && (
            <SectionList
              key={section}
              id={section}
              title={title}
              entries={seen}
              here={here}
              within={entryOf(found)}
              onOpen={() => narrow && workspace.toggleSidebar()}
            />
          )
        )
      })}
    </nav>
  )
}

/** Scrolls the current screen's entry into view. */
const show = (entry: HTMLElement | null) => entry?.scrollIntoView({ block: 'nearest' })

interface SectionProps {
  id: string
  title: string
  entries: readonly { id: RouteId; title: string; path: string }[]
  here: RouteId | undefined
  /** The entry that the screen belongs to, such as the list of its record. */
  within: string | undefined
  onOpen(): void
}

function SectionList({ id, title, entries, here, within, onOpen }: SectionProps) {
  const [closed, setClosed] = useAtom(closedAtom)
  const keys = useAtomValue(shortcutsAtom)
  const open = !closed.includes(id)
  const toggle = () => {
    const next = open ? [...closed, id] : closed.filter((other) => other !== id)
    setClosed(next)
    browserStore.setText(CLOSED, next.join(','))
  }
  const Arrow = open ? ChevronDown : ChevronRight
  return (
    <section className="pb-2">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={`section-${id}`}
          onClick={toggle}
          className="flex h-7 w-full items-center justify-between rounded-md px-2 text-meta font-medium text-faint hover:text-ink"
        >
          {title}
          <Arrow size={12} aria-hidden="true" />
        </button>
      </h2>
      {open && (
        <ul id={`section-${id}`}>
          {entries.map((entry) => (
            <li key={entry.id} ref={entry.id === within ? show : undefined}>
              <PaneLink
                to={entry.path}
                aria-keyshortcuts={ariaKeys(keys[`go.${entry.id}`])}
                aria-current={entry.id === here ? 'page' : entry.id === within ? 'true' : undefined}
                onClick={onOpen}
                className={cx(
                  'flex h-6.5 narrow:h-11 items-center justify-between gap-2 rounded-md px-2',
                  entry.id === within ? 'bg-accent-wash font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
                )}
              >
                <span className="truncate">{entry.title}</span>
                {entry.id === 'approve' && <ChannelCount />}
                {entry.id === 'desk' && <DeskBadge />}
                {keys[`go.${entry.id}`] && <Kbd mute keys={keys[`go.${entry.id}`]!} plain className="text-faint" />}
              </PaneLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Reports usage, only to our own server; off unless the organization has enabled it. */
function useUsage(here: RouteId | undefined): void {
  const { analytics } = useAtomValue(configAtom)
  useEffect(() => {
    if (analytics && here) void import('../data/usage.ts').then(({ seen }) => seen(here))
  }, [analytics, here])
}
