import { useEffect, useState } from 'react'
import { CommandButton } from '../../commands/CommandButton.tsx'
import type { ApiError } from '../../data/api.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { useFailed, useLinked } from '../../workspace/compare/shared.ts'
import { usePane } from '../../workspace/pane.tsx'
import { desk } from '../../workspace/theDesk.ts'

/**
 * A record that did not load: one that is not there leads to its list (projects-area 4), but in a comparison keeps its column and says so; anything
 * else stays and offers a retry (decisions.md 7).
 */
export function RecordTrouble({
  error,
  retry,
  what,
  home,
  homeTitle,
}: {
  error: ApiError
  retry: () => void
  what: string
  home: string
  homeTitle: string
}) {
  const { go } = usePane()
  const gone = error.status === 404 || error.status === 403
  // Also after unlinking: a column that nobody touched must not become a list.
  const [compared] = useState(useLinked())
  useFailed(true)
  useEffect(() => {
    if (!gone || compared) return
    desk.notice(`${what} is not there, or not for you. Here are ${homeTitle}.`, 'bad')
    go(home, 'here')
  }, [gone, compared, what, homeTitle, home, go])
  if (gone && compared)
    return (
      <ErrorState
        title={`${what} is not there, or not for you`}
        action={<CommandButton id="tab.close">Close this column</CommandButton>}
      >
        The other columns are compared without it.
      </ErrorState>
    )
  if (gone) return null
  return (
    <ErrorState
      title={`${what} could not be loaded`}
      action={<Button onClick={retry}>Try again</Button>}
      {...(error.requestId ? { detail: error.requestId } : {})}
    >
      {error.message}
    </ErrorState>
  )
}
