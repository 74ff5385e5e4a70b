import { useAtom, useAtomValue } from 'jotai'
import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react'
import { stripBidi } from '../../contract/bidi.ts'
import { deskAtom } from '../data/desk.ts'
import { configAtom, meAtom } from '../data/session.ts'
import { activePane } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { whenIdle } from '../ui/idle.ts'
import { loadable } from '../ui/loadable.tsx'
import { sidebarAtom, workspace } from '../workspace/currentWorkspace.ts'
import { ErrorBoundary } from '../workspace/ErrorBoundary.tsx'
import { begin } from '../workspace/navigation.ts'
import { Part } from '../workspace/Part.tsx'
import { focusActivePane } from '../workspace/paneElements.ts'
import { preloadScreens } from '../workspace/preload.ts'
import { restoreLostFocus } from '../workspace/restoreFocus.ts'
import { unsavedChangesAtom } from '../workspace/unsavedChanges.ts'
import { layoutAtom, narrowAtom, zenAtom } from '../workspace/workspaceState.ts'
import { Banners } from './Banners.tsx'
import { Columns } from './Columns.tsx'
import { CommandHost } from './CommandHost.tsx'
import { fileDrop } from './fileDrop.ts'
import { Header } from './Header.tsx'
import { Panes } from './Panes.tsx'
import { usePaneTitles } from './paneTitles.ts'
import { Sidebar } from './Sidebar.tsx'
import { StatusLine } from './StatusLine.tsx'

const UnsavedChangesDialog = loadable(() => import('./UnsavedChangesDialog.tsx').then((module) => module.UnsavedChangesDialog))

const UNAFFECTED = 'Your panes aren’t affected.'

/** The signed-in workspace. A different `person` mounts a new one. */
export function Workspace({ person }: { person: number }) {
  const [started, setStarted] = useState(false)
  useLayoutEffect(() => {
    const end = begin(person)
    // Panes mount once their URL is known, or a list would miss its initial search and page.
    setStarted(true)
    return end
  }, [person])
  return started ? <Frame /> : null
}

function Frame() {
  const role = useAtomValue(meAtom)?.role
  useEffect(() => (role ? preloadScreens(role) : undefined), [role])
  useEffect(restoreLostFocus, [])
  const zen = useAtomValue(zenAtom)
  // Hidden instead of unmounted, so that everything comes back unchanged.
  const bars = zen ? 'hidden' : 'contents'
  return (
    <div className="flex h-dvh flex-col overflow-hidden" {...fileDrop}>
      <button
        type="button"
        onClick={focusActivePane}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-1 focus:rounded-md focus:bg-raised focus:px-3 focus:py-1.5"
      >
        Skip to content
      </button>
      <div className={bars}>
        <ErrorBoundary part="The header" unaffected={UNAFFECTED}>
          <Header />
        </ErrorBoundary>
      </div>
      <div className="relative flex min-h-0 flex-1">
        <div className={bars}>
          <ErrorBoundary part="The sidebar" unaffected={UNAFFECTED}>
            <Sidebar />
          </ErrorBoundary>
          <Scrim />
        </div>
        <main className="flex min-w-0 flex-1 flex-col">
          <div className={bars}>
            <Part name="A banner">
              <Banners />
            </Part>
          </div>
          <div className="min-h-0 flex-1">
            <Columns />
          </div>
        </main>
      </div>
      <div className={bars}>
        <Part name="The status line">
          <StatusLine />
        </Part>
      </div>
      {zen && <LeaveZen />}
      <Panes />
      <CommandHost />
      <Part name="A part in the background">
        <IdleParts />
      </Part>
      <Page />
      <ClosingWhenAsked />
    </div>
  )
}

/** Parts that aren't needed in the first moments. */
function IdleParts() {
  const [DeferredParts, setDeferredParts] = useState<ComponentType | null>(null)
  useEffect(
    () =>
      whenIdle(() => {
        // The page works without them, so a failed download isn't reported.
        import('./DeferredParts.tsx').then((module) => setDeferredParts(() => module.DeferredParts)).catch(() => {})
      }, 1500),
    [],
  )
  return DeferredParts && <DeferredParts />
}

/** The way out of zen for mouse and touch. */
function LeaveZen() {
  return (
    <button
      type="button"
      data-command="pane.zen"
      aria-keyshortcuts="Escape"
      className="fixed right-2 bottom-2 z-30 rounded-md border border-edge bg-raised px-2 py-1 text-meta text-muted shadow-float max-sm:min-h-11 max-sm:px-4"
      onClick={() => workspace.layout.zen(false)}
    >
      Leave zen
    </button>
  )
}

/** In a narrow window the open sidebar overlays the page; a tap outside closes it. */
function Scrim() {
  const narrow = useAtomValue(narrowAtom)
  const open = useAtomValue(sidebarAtom)
  if (!narrow || !open) return null
  return (
    <button
      type="button"
      aria-label="Hide the sidebar"
      data-scrim=""
      className="absolute inset-0 z-20 bg-scrim"
      onClick={() => workspace.toggleSidebar()}
    />
  )
}

/** Sets the document's title and style class (projects-area 2). Subscribing higher up would render every pane. */
function Page() {
  const pane = activePane(useAtomValue(layoutAtom))
  const { product } = useAtomValue(configAtom)
  const title = usePaneTitles()(pane)
  const open = useAtomValue(deskAtom)?.open
  const style = match(pane.ref)?.row.header.style ?? 'page-not-found'
  const waits = useAtomValue(meAtom) === null
  useEffect(() => {
    document.title = stripBidi(`${open ? `(${open}) ` : ''}${title} – ${product}`)
  }, [title, product, open])
  useEffect(() => {
    if (waits) return
    document.body.classList.add(style)
    return () => document.body.classList.remove(style)
  }, [style, waits])
  return null
}

function ClosingWhenAsked() {
  const [asking, setAsking] = useAtom(unsavedChangesAtom)
  if (!asking) return null
  return (
    <Part name="The question about unsaved changes" onClose={() => setAsking(null)}>
      <UnsavedChangesDialog />
    </Part>
  )
}
