import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/States.tsx'

/** Browsers' messages for code that failed to load, after a release or without a connection. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload/i

interface Props {
  children: ReactNode
  onRetry?: () => void
  /** Names the part in its error: "The sidebar". */
  part?: string
  /** What an error leaves intact. */
  unaffected?: string
  /** Takes an overlay away after an error, with a sentence for a notice. */
  onFail?: (sentence: string) => void
  /** What is shown after `onFail`; nothing by default. */
  instead?: ReactNode
}

/** Limits an error to its part of the page, and offers a retry. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error) {
    const { part = 'This pane', onFail } = this.props
    onFail?.(
      NOT_LOADED.test(error.message)
        ? `${part} couldn’t be loaded. Try again, or reload the page if Fieldwork was updated since.`
        : `${part} stopped working and was closed. Everything else goes on.`,
    )
  }

  override render() {
    const { error } = this.state
    const { children, onRetry, onFail, instead = null, part = 'This pane' } = this.props
    const { unaffected = 'The other panes aren’t affected, and nothing you saved is lost.' } = this.props
    if (!error) return children
    if (onFail) return instead
    const retry = () => {
      onRetry?.()
      this.setState({ error: null })
    }
    const loads = NOT_LOADED.test(error.message)
    const actions = (
      <>
        {loads && <Button onClick={() => location.reload()}>Reload the page</Button>}
        <Button onClick={retry}>Try again</Button>
      </>
    )
    if (loads)
      return (
        <ErrorState title={`${part} couldn’t be loaded`} action={actions}>
          Fieldwork was updated since this page was opened, or the server can’t be reached. Your open panes come back when you
          reload.
        </ErrorState>
      )
    return (
      <ErrorState title={`${part} stopped working`} detail={error.message} action={actions}>
        {unaffected}
      </ErrorState>
    )
  }
}
