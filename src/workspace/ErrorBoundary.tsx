import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/States.tsx'

/** Browsers' messages for code that failed to load, after a release or without a connection. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload/i

/** Limits an error to its part of the page, and offers a retry. */
export class ErrorBoundary extends Component<{ children: ReactNode; onRetry?: () => void }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const retry = () => {
      this.props.onRetry?.()
      this.setState({ error: null })
    }
    if (NOT_LOADED.test(error.message))
      return (
        <ErrorState
          title="This part of the page couldn’t be loaded"
          action={
            <>
              <Button onClick={() => location.reload()}>Reload the page</Button>
              <Button onClick={retry}>Try again</Button>
            </>
          }
        >
          Fieldwork was updated since this page was opened, or the server can’t be reached. Your open panes come back when you
          reload.
        </ErrorState>
      )
    return (
      <ErrorState title="This pane stopped working" detail={error.message} action={<Button onClick={retry}>Try again</Button>}>
        The other panes aren’t affected, and nothing you saved is lost.
      </ErrorState>
    )
  }
}
