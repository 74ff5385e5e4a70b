import { withStop } from '../../../contract/textEnds.ts'
import type { Command } from '../../commands/command.ts'
import { loadAreas } from '../../commands/commandAreas.ts'
import { keymap } from '../../commands/keymap.ts'
import { areasWith, commandOf, isCommandId } from '../../commands/table.ts'
import { plain } from '../../commands/words.ts'
import { store } from '../../data/jotaiStore.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import type { BufferedKey } from '../../workspace/keys/keyBuffer.ts'
import { nextKey } from '../runnerState.ts'
import { toast } from '../toast.tsx'
import { keymapAtom } from './activeContext.ts'
import { isMac, shownAs } from './keyReading.ts'
import { refuseKeys, textOf } from './swallowKeys.ts'

const SHOWN = 120
const cut = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
const copy = (text: string) => ({
  label: 'Copy',
  run: () => void navigator.clipboard?.writeText(text).catch(() => void toast('Your browser blocked copying.', { tone: 'bad' })),
})

/** Shows the words typed for something that was refused, for copying. */
const unused = (sentence: string, text: string, id?: string) =>
  void toast(sentence, { id, detail: `What you typed wasn’t used: “${cut(text)}”`, action: copy(text) })

/** Reports a refusal, keeps the words typed for it from running as commands, and offers them for copying. */
export function refuseWithNotice(sentence: string): void {
  const id = `refused-${nextKey()}`
  // The toast stays while words are typed, because updating one that is closing has no effect.
  void toast(sentence, { id, lasts: Number.POSITIVE_INFINITY })
  refuseKeys((text) => (text ? unused(sentence, text, id) : void toast(sentence, { id })))
}

/** Like `refuseWithNotice`, but reports only if something is typed. */
export const swallow = (sentence: string): void =>
  refuseKeys((text) => {
    if (text) unused(sentence, text)
  })

/** Reports that keys have no command here, or the new keys if the user changed them. Single keys belong to lists. */
export async function noticeUnbound(keys: readonly string[]): Promise<void> {
  const pressed = keys.join(' ')
  const ofLists = keys.length === 1 ? store.get(keymapAtom).list?.[pressed] : undefined
  if (ofLists && isCommandId(ofLists)) {
    const here = workspace.list()?.entries ? 'these entries only open; there is no list here' : 'there is no list here'
    return refuseWithNotice(withStop(`${plain(commandOf(ofLists))}: ${here}`))
  }
  const own = store.get(preferencesAtom).keys
  const id = Object.values(keymap)
    .flatMap((bindings) => Object.entries(bindings))
    .find(([binding, id]) => binding === pressed && own[id] !== undefined)?.[1]
  // Reports it even if the title can't load.
  if (id) await loadAreas(areasWith(id)).catch(() => {})
  const now = id && own[id] ? `; it is on ${shownAs(own[id], isMac)} now` : ''
  refuseWithNotice(
    id && isCommandId(id)
      ? `${shownAs(pressed, isMac)} is no longer “${plain(commandOf(id))}”${now}.`
      : `${shownAs(pressed, isMac)} is not a shortcut here.${document.activeElement?.matches('select, [data-closed]') ? ' Space opens the choices, then typing finds one.' : ''}`,
  )
}

/** Reports why a command doesn't run with a count. */
export function noticeNoCount(command: Command | null): void {
  const reason = command?.times && command.disabledReason?.(workspace, [])
  const what = command ? plain(command) : null
  workspace.notice(reason ? withStop(`${what}: ${reason}`) : `${what ? `“${what}”` : 'This key'} doesn’t take a count.`)
}

/** Reports that keys were dropped because their target didn't open. */
export function noticeDropped(keys: readonly BufferedKey[]): void {
  const text = textOf(keys)
  void toast('Your keys weren’t used: what they were for didn’t open.', {
    detail: `“${cut(text)}”`,
    action: copy(text),
  })
}
