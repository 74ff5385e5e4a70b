import { useAtomValue } from 'jotai'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { wordOf } from '../../contract/nounOf.ts'
import { configAtom, meAtom } from '../data/session.ts'
import { activePane } from '../routing/layout.ts'
import { match } from '../routing/match.ts'
import { href, sections } from '../routing/routes.ts'
import { sectionOf } from '../routing/tabs.ts'
import { isMac, shownAs } from '../runner/keys/keyReading.ts'
import { mentionLater, shortcutsAtom } from '../runner/shortcuts.ts'
import { IconButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { ariaKeys, Kbd } from '../ui/Kbd.tsx'
import { loadable } from '../ui/loadable.tsx'
import { sidebarAtom, workspace } from '../workspace/currentWorkspace.ts'
import { openPath } from '../workspace/navigation.ts'
import { layoutAtom, narrowAtom } from '../workspace/workspaceState.ts'
import { PersonalEnd } from './Person.tsx'
import { usePaneTitles, useTitleParts } from './paneTitles.ts'

const NarrowHeader = loadable(
  () => import('./NarrowLayout.tsx').then((module) => module.NarrowHeader),
  <div className="h-bar shrink-0 border-b border-line bg-surface short:h-9" />,
)

/** The page's title, the palette's field, support, and the user's menu; a compact bar in a narrow window. */
export function Header() {
  return useAtomValue(narrowAtom) ? <NarrowHeader /> : <WideHeader />
}

function WideHeader() {
  const sidebar = useAtomValue(sidebarAtom)
  return (
    <header className="grid h-header shrink-0 grid-cols-[auto_1fr_auto] items-center gap-3 border-b border-line bg-surface px-3 lg:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
      <div className="flex min-w-0 items-center gap-3">
        <div className={cx('flex shrink-0 items-center gap-2', sidebar && 'lg:w-46')}>
          <IconButton
            label={sidebar ? 'Hide the sidebar' : 'Show the sidebar'}
            aria-expanded={sidebar}
            aria-controls={sidebar ? 'sidebar' : undefined}
            className="-ml-1"
            onClick={() => {
              workspace.toggleSidebar()
              mentionLater('sidebar.toggle')
            }}
          >
            <MenuIcon size={16} aria-hidden="true" />
          </IconButton>
          <Brand />
        </div>
        <Crumb />
      </div>
      <PaletteField />
      <div className="flex items-center justify-end gap-2">
        <SupportLink />
        <PersonalEnd />
      </div>
    </header>
  )
}

function Brand() {
  const { product } = useAtomValue(configAtom)
  return (
    <a
      href={href('allProjects')}
      onClick={(event) => {
        event.preventDefault()
        openPath(href('allProjects'))
      }}
      className="flex items-center gap-2 font-semibold tracking-tight max-sm:hidden"
    >
      <span aria-hidden="true" className="size-3.5 rounded-sm bg-linear-135 from-accent to-blue" />
      {product}
    </a>
  )
}

/** Returns the noun of the compared records; projects of both generations are the same. */
const comparedWord = (found: ReturnType<typeof match>): string => {
  const kind = found?.row.subject
  return kind ? wordOf(kind === 'campaign' ? 'project' : kind, true) : 'screens'
}

/** The active pane's section and header text; compared panes show their number. */
function Crumb() {
  const layout = useAtomValue(layoutAtom)
  const titleOf = usePaneTitles()
  const partsOf = useTitleParts()
  const pane = activePane(layout)
  const found = match(pane.ref)
  const section = sections.find(({ section }) => section === sectionOf(found))
  const text = layout.linked ? `Compare ${layout.columns.length} ${comparedWord(found)}` : (found?.row.header.text ?? 'Not found')
  const record = found?.row.subject && found.params.id && !layout.linked ? partsOf(pane) : null
  return (
    <p className="flex min-w-0 max-w-110 flex-1 gap-1.5 text-muted max-lg:hidden" title={titleOf(pane)}>
      {section && <span className="shrink-0 max-xl:hidden">{section.title} /</span>}
      <span className={record ? 'shrink-0 max-2xl:hidden' : 'truncate font-medium text-ink'}>
        <span data-testid="header-text">{text}</span>
        {record && ' /'}
      </span>
      {record && (
        <span className="truncate font-medium text-ink" data-testid="header-record">
          <bdi>{record[0]}</bdi>
          {record[1] && ` · ${record[1]}`}
        </span>
      )}
    </p>
  )
}

function PaletteField() {
  const keys = useAtomValue(shortcutsAtom)['palette.open'] ?? shownAs('Mod+k', isMac)
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={ariaKeys(keys)}
      onClick={() => workspace.palette()}
      className="flex h-7 w-full min-w-0 max-w-110 items-center gap-2 justify-self-center rounded-md border border-edge bg-ground px-2 text-faint hover:border-control lg:w-72 xl:w-110"
    >
      <Search size={14} aria-hidden="true" className="shrink-0" />
      <span className="truncate">Search or run a command</span>
      <Kbd mute keys={keys} className="ml-auto max-sm:hidden" />
    </button>
  )
}

/** A link for an email to support that names the sender (projects-area 1). */
function SupportLink() {
  const { support_mail } = useAtomValue(configAtom)
  const me = useAtomValue(meAtom)
  if (!me || !support_mail) return null
  const body = encodeURIComponent(`\n\n${me.first_name} ${me.last_name}`)
  return (
    <a
      href={`mailto:${support_mail}?subject=Support&body=${body}`}
      className="rounded-md px-2 py-1 text-muted hover:bg-hover hover:text-ink max-md:hidden"
    >
      Support
    </a>
  )
}
