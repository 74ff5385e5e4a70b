import { useAtomValue } from 'jotai'
import { X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { recordOf, type Subject } from '../commands/subject.ts'
import { linkOfRef } from '../routing/codec.ts'
import { activate, type Column, type Pane } from '../routing/layout.ts'
import { mentionLater } from '../runner/shortcuts.ts'
import { cx } from '../ui/cx.ts'
import { loadable } from '../ui/loadable.tsx'
import { Mark, type Shape, type Tone } from '../ui/Pill.tsx'
import { scrollToTab } from '../ui/scrollToTab.ts'
import { useWidth } from '../ui/useWidth.ts'
import { closePanes } from '../workspace/currentWorkspace.ts'
import { whenDrawn } from '../workspace/focusLater.ts'
import { change, pinPane, restorableAtom } from '../workspace/navigation.ts'
import { focusPane } from '../workspace/paneElements.ts'
import { paneStateOf, wordsAtom } from '../workspace/paneState.ts'
import { narrowAtom } from '../workspace/workspaceState.ts'
import { useTitleParts } from './paneTitles.ts'
import { OPEN_SCREEN, useTabMenu } from './TabMenu.tsx'

const RestoreChip = loadable(() => import('./RestoreChip.tsx').then((module) => module.RestoreChip))

/** A column's tabs; in a narrow window the header lists all open panes instead. */
export function TabStrip({ column, at, active, alone }: { column: Column; at: number; active: boolean; alone: boolean }) {
  return useAtomValue(narrowAtom) ? null : <TabRow column={column} at={at} active={active} alone={alone} />
}

function TabRow({ column, at, active, alone }: { column: Column; at: number; active: boolean; alone: boolean }) {
  const partsOf = useTitleParts()
  const strip = useRef<HTMLDivElement>(null)
  const { menu, onContextMenu, onMenuKey } = useTabMenu(OPEN_SCREEN)
  const shown = column.mru[0]!
  const width = useWidth(strip)
  const titles = column.tabs.map((pane) => partsOf(pane).join(' · ')).join('|')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tabs' widths follow their titles
  useEffect(() => {
    if (strip.current) scrollToTab(strip.current)
  }, [shown, width, titles])
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    if (onMenuKey(event, document.getElementById(`tab-${shown}`))) return
    const from = column.tabs.findIndex((pane) => pane.id === shown)
    const to = { ArrowRight: from + 1, ArrowLeft: from - 1 + column.tabs.length, Home: 0, End: column.tabs.length - 1 }[event.key]
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Delete') {
      event.preventDefault()
      closePanes([shown])
      // Keeps the focus in the strip, as tab rows do.
      whenDrawn(() => strip.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      focusPane(shown)
    } else if (to !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      const next = column.tabs[to % column.tabs.length]!.id
      change((layout) => activate(layout, next))
      whenDrawn(() => document.getElementById(`tab-${next}`)?.focus())
    }
  }
  const row = (
    <div
      ref={strip}
      role="tablist"
      aria-label={alone ? 'Open screens' : `Open screens of column ${at + 1}`}
      data-keeps-focus
      onKeyDown={walk}
      className="flex h-strip min-w-0 flex-1 overflow-x-auto border-b border-line bg-ground [scrollbar-width:none]"
    >
      {column.tabs.map((pane) => (
        <Tab
          key={pane.id}
          pane={pane}
          parts={partsOf(pane)}
          shown={pane.id === shown}
          active={active}
          onMenu={(event) => onContextMenu(event, () => change((layout) => activate(layout, pane.id)))}
        />
      ))}
      <span aria-hidden="true" className="shrink-0" />
    </div>
  )
  return (
    <div className="flex h-strip shrink-0">
      {row}
      {active && <Restorable />}
      {menu}
    </div>
  )
}

/** Offers to restore panes, in the active column's strip; the code loads only if there is something. */
export function Restorable() {
  return useAtomValue(restorableAtom)?.offered ? <RestoreChip /> : null
}

interface TabProps {
  pane: Pane
  parts: [name: string, part?: string]
  shown: boolean
  active: boolean
  onMenu(event: MouseEvent<HTMLElement>): void
}

function Tab({ pane, parts: [name, part], shown, active, onMenu }: TabProps) {
  const { dirty, subject } = paneStateOf(useAtomValue(wordsAtom), pane.id)
  const pace = paceOf(subject)
  const show = (event: MouseEvent) => {
    event.preventDefault()
    change((layout) => activate(layout, pane.id))
    // The strip keeps the focus during arrow keys; after a click, the pane gets it.
    requestAnimationFrame(() => focusPane(pane.id))
  }
  return (
    <div
      role="presentation"
      className={cx(
        'group relative flex min-w-24 max-w-60 shrink-0 items-center gap-1.5 border-r border-line pl-3',
        shown ? 'bg-surface text-ink' : 'text-muted hover:bg-hover',
        shown && active && 'before:absolute before:inset-x-0 before:top-0 before:h-0.5 before:bg-accent before:content-[""]',
      )}
    >
      {/* A link, so that its URL can be copied and dragged. */}
      <a
        href={linkOfRef(pane.ref)}
        data-view=""
        role="tab"
        id={`tab-${pane.id}`}
        aria-selected={shown}
        aria-controls={shown ? `pane-${pane.id}` : undefined}
        tabIndex={shown ? 0 : -1}
        onClick={show}
        onContextMenu={onMenu}
        onDoubleClick={() => pinPane(pane.id)}
        onAuxClick={(event) => {
          if (event.button !== 1) return
          event.preventDefault()
          closePanes([pane.id])
        }}
        onMouseDown={(event) => event.button === 1 && event.preventDefault()}
        className={cx(
          'flex h-full min-w-0 flex-1 items-center gap-1.5 text-meta -outline-offset-2',
          shown && 'font-medium',
          !pane.pinned && 'italic',
        )}
      >
        {pace && <Mark shape={pace.shape} className={pace.className} />}
        <span data-tab-name="" className="flex min-w-0 whitespace-pre">
          <bdi className="truncate">{name}</bdi>
          {/* The record tells tabs apart, so its part gives way first. */}
          {part && <span className="shrink-1000 truncate whitespace-pre font-normal text-muted">{` · ${part}`}</span>}
        </span>
        {!pane.pinned && <span className="sr-only">(preview)</span>}
        {dirty && <span className="sr-only">(unsaved)</span>}
      </a>
      {/* Keyboards close a tab with Delete or the command; a focusable button doesn't belong in a tab list. */}
      <button
        type="button"
        aria-hidden="true"
        tabIndex={-1}
        title={dirty ? 'Close (unsaved changes)' : 'Close'}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          closePanes([pane.id])
          mentionLater('tab.close')
        }}
        className="mr-1 grid size-5 shrink-0 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
      >
        {dirty ? <Mark shape="dot" className="text-amber-ink" /> : <X size={12} />}
      </button>
    </div>
  )
}

const PACES: Readonly<Record<string, { shape: Shape; tone: Tone }>> = {
  Green: { shape: 'dot', tone: 'green' },
  Orange: { shape: 'triangle', tone: 'amber' },
  Red: { shape: 'cross', tone: 'red' },
  Gray: { shape: 'ring', tone: 'grey' },
}
const inks: Record<Tone, string> = {
  green: 'text-green',
  amber: 'text-amber',
  red: 'text-red',
  grey: 'text-grey',
  blue: 'text-blue',
}

/** Returns a project's pacing as the shape and color of its tab. */
function paceOf(subject: Subject | null | undefined): { shape: Shape; className: string } | null {
  const { pacing_color, pacing_state, stored_status } = recordOf(subject, 'project', 'campaign')
  const idle = pacing_state === 'not_started' || stored_status === 'rejected'
  const pace = PACES[pacing_color && idle ? 'Gray' : (pacing_color ?? '')]
  return pace ? { shape: pace.shape, className: inks[pace.tone] } : null
}
