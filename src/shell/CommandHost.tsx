import { useAtom, useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { loadAreas } from '../commands/commandAreas.ts'
import { areasWith, type CommandId, isCommandId } from '../commands/table.ts'
import { onUndoable } from '../data/apiClient.ts'
import { store } from '../data/jotaiStore.ts'
import { forgetPersonal } from '../data/personalStorage.ts'
import { signOut } from '../data/session.ts'
import { loadIcons } from '../runner/icons.tsx'
import { Settled } from '../runner/keys/settle.ts'
import { useDispatcher } from '../runner/keys/useDispatcher.ts'
import { loadRunner, notLoaded, start, withRunner } from '../runner/lazyRunner.ts'
import {
  askingAtom,
  helpAtom,
  nextKey,
  paletteAtom,
  pendingAtom,
  rebindingAtom,
  resultAtom,
  toasterAtom,
} from '../runner/runnerState.ts'
import { InlineEdit } from '../ui/grid/GridRow.tsx'
import { whenIdle } from '../ui/idle.ts'
import { loadable } from '../ui/loadable.tsx'
import { attention } from '../workspace/attention.ts'
import { prepareCompare } from '../workspace/compareController.ts'
import { registerServices, workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys, preparePlay } from '../workspace/keys/typeahead.ts'
import { focusedPane, pendingCommandAtom } from '../workspace/navigation.ts'
import { Part } from '../workspace/Part.tsx'

/** Screens that list every command wait for all areas. */
const withAll = <Part,>(part: Promise<Part>): Promise<Part> => Promise.all([part, loadAreas()]).then(([loaded]) => loaded)
const loadNames = () => import('../search/entities.ts')
/** Names open beside the palette's code, which loads longer. */
const loadPalette = () => {
  // The palette imports it too, and reports a failure.
  void loadNames().then(
    ({ entitiesOf }) => entitiesOf(workspace.me.id),
    () => undefined,
  )
  return withAll(import('../palette/Palette.tsx'))
}
/** Reads the names that an earlier visit stored, in a worker, while the first screen loads. */
const prepareNames = async () => {
  await (await navigator.storage.getDirectory()).getDirectoryHandle('palette')
  ;(await import('../search/readAhead.ts')).readAhead(workspace.me.id)
}
const loadUndo = () => import('../runner/undo.ts')
const loadSay = () => import('../runner/toast.tsx')
const loadDialog = () => import('../palette/CommandDialog.tsx')
const Palette = loadable(() => loadPalette().then((module) => module.Palette))
const CommandDialog = loadable(() => loadDialog().then((module) => module.CommandDialog))
const KeyStrip = loadable(() => import('../runner/keys/KeyStrip.tsx').then((module) => module.KeyStrip))
const ResultDialog = loadable(() => import('../palette/ResultDialog.tsx').then((module) => module.ResultDialog))
const HelpSheet = loadable(() => withAll(import('./help/HelpSheet.tsx')).then((module) => module.HelpSheet))
const KeyDialog = loadable(() => import('../runner/keys/KeyDialog.tsx').then((module) => module.KeyDialog))
const ToasterMounted = loadable(() => loadSay().then((module) => module.ToasterMounted))
const Toaster = loadable(() => import('../ui/Toaster.tsx').then((module) => module.Toaster))

registerServices({
  palette: ({ text, command, answers } = {}) => {
    if (command && (isCommandId(command) || areasWith(command).length))
      return start(command as CommandId, { answers, via: 'link' })
    bufferKeys()
    store.set(paletteAtom, { key: nextKey(), at: workspace.subjects(), pane: focusedPane().id, ...(text ? { text } : {}) })
  },
  show: (what) => {
    if (what === 'help') {
      bufferKeys()
      store.set(helpAtom, true)
    } else void loadSay().then(({ focusToast }) => focusToast())
  },
  startOn: (command, records, reviewed) => {
    const kept = bufferKeys()
    void import('./startOn.ts').then(({ startOn }) => startOn(command, records, reviewed, kept), notLoaded)
  },
  follow: (jobs, ready) => void import('../runner/followJob.ts').then(({ followJob: follow }) => follow(jobs, ready)),
  followPayout: (jobs, rewards) =>
    void import('../runner/followPayout.ts').then(({ followPayout }) => followPayout(jobs, rewards)),
  // Loads separately: it reads records, whose rules are in areas that no key of the runner waits for.
  again: (past) =>
    past
      ? void import('../runner/rerun.ts').then(({ rerun }) => rerun(past), notLoaded)
      : withRunner(({ repeatLast: again }) => again()),
  undo: (listed) => void loadUndo().then(({ undoLast, takeListed }) => (listed ? takeListed(listed) : undoLast())),
  redo: () => void loadUndo().then(({ redoLast }) => redoLast()),
  notice: (sentence, tone) => void loadSay().then(({ toast: say }) => say(sentence, tone ? { tone } : {})),
  signOut: async () => {
    const { id } = workspace.me
    await signOut()
    forgetPersonal(id)
    // The index is stored in this browser, so delete it for the next user.
    const { forgetEntitiesOf } = await loadNames()
    await forgetEntitiesOf(id)
  },
  print: () =>
    void import('./DeferredParts.tsx')
      .then(({ deferredMounted }) => deferredMounted)
      .then(() => import('./printPane.ts'))
      .then(({ printPane }) => printPane())
      .catch(notLoaded),
  record: (by) => void import('../list/nextRecord.ts').then(({ goToRecord }) => goToRecord(by), notLoaded),
  commandLink: async () => (await import('../runner/lastCommandLink.ts')).commandLinkOf(),
})

onUndoable((write) => void loadUndo().then(({ noted }) => noted(write)))

/** Mounts what commands need, once per workspace: key listener, palette, dialogs, help and toasts. */
export function CommandHost() {
  useDispatcher()
  const loaded = useIdleLoading()
  const pending = useAtomValue(pendingAtom) !== null
  useLinkedCommand()
  const [palette, setPalette] = useAtom(paletteAtom)
  const [asking, setAsking] = useAtom(askingAtom)
  const [result, setResult] = useAtom(resultAtom)
  const [help, setHelp] = useAtom(helpAtom)
  const [rebinding, setRebinding] = useAtom(rebindingAtom)
  const [toaster, setToaster] = useAtom(toasterAtom)
  return (
    <>
      <Settled />
      {(loaded || pending) && (
        <Part name="The strip of keys">
          <KeyStrip />
        </Part>
      )}
      {toaster && (
        <Part name="A notice" onClose={() => setToaster(false)}>
          <Toaster />
          <ToasterMounted />
        </Part>
      )}
      {palette && (
        <Part name="The palette" onClose={() => setPalette(null)}>
          <Palette />
        </Part>
      )}
      {asking && (
        <Part key={asking.key} name="The question" onClose={() => setAsking(null)}>
          <CommandDialog asking={asking} onClose={() => setAsking(null)} />
        </Part>
      )}
      {result && (
        <Part name="The result" onClose={() => setResult(null)}>
          <ResultDialog result={result} onClose={() => setResult(null)} />
        </Part>
      )}
      {help && (
        <Part name="The list of keys" onClose={() => setHelp(false)}>
          <HelpSheet onClose={() => setHelp(false)} />
        </Part>
      )}
      {rebinding && (
        <Part name="The question for keys" onClose={() => setRebinding(null)}>
          <KeyDialog id={rebinding} onClose={() => setRebinding(null)} />
        </Part>
      )}
    </>
  )
}

/** Loads the palette, which isn't in the first load, when idle. Returns true from then on. */
function useIdleLoading(): boolean {
  const [started, setStarted] = useState(false)
  useEffect(() => {
    // If it fails, as where nothing is stored, the palette does it when it opens.
    prepareNames().catch(() => {})
    return whenIdle(() => {
      setStarted(true)
      void loadRunner()
      preparePlay()
      prepareCompare()
      void loadIcons()
      void loadSay()
      void loadPalette()
      void loadDialog()
      void ResultDialog.preload()
      void InlineEdit.preload()
    }, 4000)
  }, [])
  return started
}

/** Fills in a link's command once its subjects are known. It never runs by itself. */
function useLinkedCommand(): void {
  const [pending, setPending] = useAtom(pendingCommandAtom)
  useEffect(() => {
    if (!pending) return
    let stop = () => {}
    let gone = false
    const waits = attention()
    void Promise.all([import('../runner/pendingCommand.ts'), loadAreas(areasWith(pending.command))]).then(
      ([{ openPrefilled }]) => {
        if (!gone) stop = openPrefilled(pending, waits, () => setPending(null))
      },
      notLoaded,
    )
    return () => {
      gone = true
      stop()
    }
  }, [pending, setPending])
}
