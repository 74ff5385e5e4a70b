import { Hammer } from 'lucide-react'
import type { Match } from '../routing/match.ts'
import { HOME, href } from '../routing/routes.ts'
import { isMac, shownAs } from '../runner/keys/token.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { PaneLink } from '../workspace/PaneLink.tsx'
import { ScreenPanel, ScreenTabs } from './ScreenTabs.tsx'

/** A screen that isn't built: what it will show, for whom, and what works until then. `embedded` within a record. */
export function NotBuilt({ match, area, embedded }: { match: Match; area: string; embedded?: boolean }) {
  const { row, tabRow, params } = match
  const id = params.id ?? params.activity_id
  // Within a record the header's panel already surrounds this.
  const Panel = embedded ? 'div' : ScreenPanel
  return (
    <article className="flex h-full flex-col">
      {!embedded && (
        <>
          <header className="px-4 pt-3.5 pb-2">
            <h1 className="text-title">
              {tabRow?.title ?? row.title} {id && <span className="font-mono text-meta font-normal text-muted">{id}</span>}
            </h1>
          </header>
          <ScreenTabs />
        </>
      )}
      <Panel className="max-w-prose space-y-3 px-4 py-6">
        <p className="flex items-center gap-2 text-muted">
          <Hammer size={16} aria-hidden="true" className="shrink-0" />
          This screen is not built yet. It belongs to the area “{area}”.
        </p>
        <p>What it will show: {tabRow?.about ?? row.about}</p>
        <p className="text-muted">
          {embedded ? (
            <>
              Commands on the record itself work already: press <Kbd keys={shownAs('Mod+k', isMac)} /> and type what you want to
              do, or go to{' '}
            </>
          ) : row.subject === 'campaign' && id ? (
            <>
              What works already stands with{' '}
              <PaneLink
                to={href('project', { id }, { tab: 'specifications' })}
                className="text-accent-ink underline underline-offset-2"
              >
                the project itself
              </PaneLink>
              . Or go to{' '}
            </>
          ) : (
            'Go to '
          )}
          <PaneLink to={HOME} className="text-accent-ink underline underline-offset-2">
            all projects
          </PaneLink>
          .
        </p>
      </Panel>
    </article>
  )
}
