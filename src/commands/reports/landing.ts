import { command } from '../command.ts'
import { activeLanding } from '../landingController.ts'

const NOT_HERE = 'open a project’s landing page first'

/** The landing page of a project (screens-projects.md, Landing page). */
export const landingCommands = {
  'landing.copyChannel': command({
    title: 'Copy texts to the other channel',
    on: 'nothing',
    group: 'workspace',
    keywords: 'landing facebook fulcrum question disqualify',
    icon: 'copy',
    disabledReason: () => (activeLanding() ? null : NOT_HERE),
    run: () => ({ note: activeLanding()?.copyChannel() ?? NOT_HERE }),
  }),
  'landing.undoCopy': command({
    title: 'Restore the overwritten texts',
    on: 'nothing',
    group: 'workspace',
    keywords: 'landing undo copy channel',
    icon: 'undo',
    disabledReason: () => (activeLanding()?.undoCopy ? null : activeLanding() ? 'nothing was copied' : NOT_HERE),
    run: () => activeLanding()?.undoCopy?.(),
  }),
  'landing.preview': command({
    title: 'Preview beside',
    on: 'nothing',
    group: 'workspace',
    keywords: 'landing page phone',
    icon: 'panel',
    disabledReason: () => (activeLanding() ? null : NOT_HERE),
    run({ workspace }) {
      const here = activeLanding()
      if (here) workspace.open(here.preview, 'beside')
    },
  }),
  'landing.useSurveyUrl': command({
    title: 'Use the project’s survey URL',
    on: 'nothing',
    group: 'workspace',
    keywords: 'landing address link',
    icon: 'link',
    disabledReason() {
      const here = activeLanding()
      return here ? (here.surveyUrl ? null : 'the project has no survey URL') : NOT_HERE
    },
    run: () => activeLanding()?.useSurveyUrl(),
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof landingCommands> {}
}
