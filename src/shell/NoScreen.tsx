import type { Match } from '../routing/match.ts'
import { HOME } from '../routing/routes.ts'
import { ErrorState } from '../ui/States.tsx'
import { PaneLink } from '../workspace/PaneLink.tsx'

/** Shown instead of a screen that doesn't exist, isn't allowed (`no` says why), or can't open in a pane. */
export function NoScreen({ match, no }: { match: Match | null; no: string | null }) {
  if (!match)
    return (
      <ErrorState title="This screen doesn’t exist">
        The link may be cut short, or the screen was renamed. The other panes haven’t changed.
      </ErrorState>
    )
  if (!no)
    return (
      <ErrorState title="This page doesn’t open in a pane">
        It’s outside the workspace. The other panes haven’t changed.
      </ErrorState>
    )
  return (
    <ErrorState title={no}>
      {match.row.instead ? (
        <>
          Yours is{' '}
          <PaneLink to={match.row.instead} className="underline">
            {match.row.instead}
          </PaneLink>
          .
        </>
      ) : (
        <PaneLink to={HOME} className="underline">
          All projects
        </PaneLink>
      )}
    </ErrorState>
  )
}
