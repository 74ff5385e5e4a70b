import { Page } from './Page.tsx'
import { TouchButton } from './touchControls.tsx'

/** Shown when a page fails to load for any reason but a missing request. */
export function LoadError({ message, retry }: { message: string; retry(): Promise<void> }) {
  return (
    <Page title="Feasibility" narrow>
      <div role="alert" className="pt-[8vh]">
        <h1 className="text-figure">Can’t open this request right now</h1>
        <p className="mt-2 text-muted">{message} Your link still works.</p>
        <TouchButton look="primary" className="mt-6 max-sm:w-full" onClick={() => void retry()}>
          Try again
        </TouchButton>
      </div>
    </Page>
  )
}
