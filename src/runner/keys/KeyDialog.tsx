import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useState } from 'react'
import { type CommandId, commandOf } from '../../commands/table.ts'
import { store } from '../../data/jotaiStore.ts'
import { preferencesAtom, setPreferences } from '../../data/preferences.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { currentKeys, type OwnKeys } from './bindings.ts'
import { type Conflict, conflictsWith } from './keyConflicts.ts'
import { isMac, shownAs, tokenOf } from './keyReading.ts'
import { ownedBy } from './reservedShortcuts.ts'

const MOST = 3
const SHOWN = 3

/** What the dialog says about each kind of conflict. */
const CONFLICT_WORDS: Readonly<Record<Conflict['how'], string>> = {
  same: 'Conflicts with',
  begins: 'Is the beginning of',
  follows: 'Begins with',
}

/** Returns the shortcuts that conflict with the keys, identical ones first. */
const conflictLines = (own: OwnKeys, id: CommandId, keys: string) =>
  conflictsWith(own, id, keys)
    .map((clash) => ({
      ...clash,
      title: commandOf(clash.command).title.replace(/…$/, ''),
      place: clash.context === 'app' ? 'everywhere' : 'there',
    }))
    .sort((a, b) => Number(b.how === 'same') - Number(a.how === 'same'))

/** Saves a command's custom shortcut ('' for none, null for the default), and reports a failure. */
export function saveKeys(id: CommandId, keys: string | null): void {
  const { [id]: _, ...rest } = currentKeys(store.get(preferencesAtom).keys)
  setPreferences({ keys: keys === null ? rest : { ...rest, [id]: keys } }).catch((error: Error) =>
    workspace.notice(error.message, 'bad'),
  )
}

/** Records a command's new shortcut as its keys are pressed, shows conflicts at once and saves it. */
export function KeyDialog({ id, onClose }: { id: CommandId; onClose: () => void }) {
  const own = currentKeys(useAtomValue(preferencesAtom).keys)
  const [pressed, setPressed] = useState<readonly string[]>([])
  const keys = pressed.join(' ')
  const conflicts = keys ? conflictLines(own, id, keys) : []
  const taken = pressed.map(ownedBy).find(Boolean) ?? null
  const save = (chosen: string) => {
    saveKeys(id, chosen)
    onClose()
  }
  const onKey = (event: KeyboardEvent) => {
    // Tab, Escape and Enter keep their meaning in the dialog.
    if (event.key === 'Tab' || event.key === 'Escape') return
    if (event.key === 'Enter' && pressed.length) {
      event.preventDefault()
      if (event.repeat) return
      // Conflicts are read first: Enter only moves to the button that saves anyway.
      if (!conflicts.length && !taken) save(keys)
      else
        event.currentTarget
          .closest('[role=dialog]')
          ?.querySelector<HTMLElement>('[data-dialog-footer] button:last-child')
          ?.focus()
      return
    }
    const token = tokenOf(event.nativeEvent)
    if (!token || event.repeat) return
    event.preventDefault()
    event.stopPropagation()
    if (token === 'Backspace') setPressed((before) => before.slice(0, -1))
    else setPressed((before) => (before.length === MOST ? [token] : [...before, token]))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={`Keys of “${commandOf(id).title.replace(/…$/, '')}”`}
      description="Press the keys, one after another for a sequence, then Enter. Backspace removes the last one."
      initialFocus="[data-keys]"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={() => save('')}>No shortcut</Button>
          <Button variant="primary" reason={taken ?? (pressed.length ? null : 'press the keys first')} onClick={() => save(keys)}>
            {conflicts.length ? 'Use them anyway' : 'Use these keys'}
          </Button>
        </>
      }
    >
      <input
        data-keys=""
        readOnly
        aria-label="Press the keys"
        aria-describedby="key-clash"
        value={pressed.map((token) => shownAs(token, isMac)).join('  ')}
        placeholder="Press the keys"
        onKeyDown={onKey}
        className={cx(
          'h-12 w-full rounded-md border bg-surface text-center font-mono text-title',
          conflicts.length || taken ? 'border-amber' : 'border-control',
        )}
      />
      <div id="key-clash" role="status" className="mt-2 min-h-10 text-meta">
        {/* Shows the pressed keys first, so that screen readers announce each further key. */}
        {keys && <p className="sr-only">{pressed.map((token) => shownAs(token, isMac)).join(' ')}.</p>}
        {taken && <p className="text-amber-ink">This can’t be used: {taken}.</p>}
        {conflicts.slice(0, SHOWN).map(({ keys: other, title, place, how }) => (
          <p key={`${other} ${title}`} className="text-amber-ink">
            {CONFLICT_WORDS[how]} <Kbd keys={shownAs(other, isMac)} /> “{title}” {place}.
          </p>
        ))}
        {conflicts.length > SHOWN && <p className="text-amber-ink">And {conflicts.length - SHOWN} more.</p>}
        {conflicts.some(({ how }) => how === 'begins') && !conflicts.some(({ how }) => how === 'same') && (
          <p className="text-amber-ink">It runs if no other key follows within a second.</p>
        )}
        {keys && !conflicts.length && !taken && <p className="text-green-ink">Nothing else uses these keys.</p>}
      </div>
    </Dialog>
  )
}
