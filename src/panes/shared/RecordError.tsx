import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { DeletedNoun } from '../../../contract/restored.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import type { ApiError } from '../../data/api.ts'
import { useMay } from '../../data/permissions.ts'
import { useCall } from '../../data/useCall.ts'
import { close, open } from '../../routing/layout.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { useFailed, useLinked } from '../../workspace/compareRole.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { change } from '../../workspace/navigation.ts'
import { usePane } from '../../workspace/pane.tsx'
import { isGone, RecordGone } from './RecordGone.tsx'

interface Props {
  error: ApiError
  retry: () => void
  what: string
  home: string
  homeTitle: string
}

/**
 * Shown when a record fails to load: a missing one redirects to its list (projects-area 4), others can be retried.
 * In a comparison or a side column it stays in place and says so instead (decisions.md 7).
 * A deleted `record` stays in place for users who may see its deletion.
 * `missing` replaces the redirect. `beside` is for a part of a screen with another subject, or a list.
 */
export function RecordError({
  record,
  missing,
  beside = false,
  ...props
}: Props & { record?: { noun: DeletedNoun; id: number }; missing?: ReactNode; beside?: boolean }) {
  useFailed(true)
  const asks = useMay('undo.deletion') && isGone(props.error)
  const deletion = useCall('undo.deletion', asks && record ? record : null, { fresh: true })
  if (!asks || !record || deletion.error) return missing ?? <RecordMissing {...props} />
  if (!deletion.data) return <Skeleton rows={8} />
  const { what, home, homeTitle } = props
  return <RecordGone {...record} what={what} name={deletion.data.data.name} home={home} homeTitle={homeTitle} beside={beside} />
}

function RecordMissing({ error, retry, what, home, homeTitle }: Props) {
  const { id, go, active } = usePane()
  const gone = isGone(error)
  // Also after unlinking: a column nobody touched must not turn into a list.
  const [compared] = useState(useLinked())
  const seen = useRef(false)
  useEffect(() => {
    if (!gone || seen.current) return
    seen.current = true
    if (compared || !active) return
    workspace.notice(`${what} doesn’t exist, or you don’t have access. Showing ${homeTitle} instead.`, 'bad')
    // The list replaces this tab, or an empty tab would stay beside it.
    change((layout) => open(close(layout, id, home), home, 'here', true), 'replace')
  }, [gone, compared, active, what, homeTitle, home, id])
  if (gone && compared)
    return (
      <ErrorState
        title={`${what} doesn’t exist, or you don’t have access`}
        action={<CommandButton id="tab.close">Close this column</CommandButton>}
      >
        The other columns are compared without it.
      </ErrorState>
    )
  if (gone)
    return (
      <ErrorState
        title={`${what} doesn’t exist, or you don’t have access`}
        action={
          <Button data-view="" onClick={() => go(home, 'here')}>
            Go to {homeTitle}
          </Button>
        }
      >
        The link may be old, or meant for someone else.
      </ErrorState>
    )
  return <AnswerError what={what} error={error} retry={retry} />
}
