import { usePane } from '../../workspace/pane.tsx'
import { OutsidePage } from './OutsidePage.tsx'

/** Explains an error or a used password link, and offers a way back. */
export default function ErrorPane() {
  const { route } = usePane()
  if (route === 'errorReset') {
    return (
      <OutsidePage
        title="The link doesn’t work"
        lead="A password link works once, for one hour. It has already been used or has expired. Your password hasn’t changed."
        links={[
          { to: 'forgotPassword', title: 'Ask for a new link' },
          { to: 'login', title: 'Back to sign in' },
        ]}
      />
    )
  }
  return (
    <OutsidePage
      title="Something went wrong"
      lead="This is on us. Nothing you saved was lost. Try again in a moment, and write to us if it keeps happening."
      links={[{ to: 'login', title: 'Back to Fieldwork' }]}
    />
  )
}
