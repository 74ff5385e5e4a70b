import { type KeyboardEvent, useState } from 'react'
import { type CommandId, commandOf } from '../../commands/table.ts'
import type { OwnKeys } from '../../runner/keys/bindings.ts'
import { type Conflict, clashesWith } from '../../runner/keys/clashes.ts'
import { ownedBy } from '../../runner/keys/reservedShortcuts.ts'
import { isMac, shownAs, tokenOf } from '../../runner/keys/token.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'

const MOST = 3
const SHOWN = 3

/** How the dialog words each kind of conflict. */
const COMES_TO: Readonly<Record<Conflict['how'], string>> = {
  same: 'Clashes with',
  begins: 'Is the beginning of',
  follows: 'Begins with',
}

/** Lists the shortcuts that conflict with the keys, identical ones first. */
const clashesOf = (own: OwnKeys, id: CommandId, keys: string) =>
  clashesWith(own, id, keys)
    .map((clash) => ({
      ...clash,
      title: commandOf(clash.command).title.replace(/…$/, ''),
      place: clash.context === 'app' ? 'everywhere' : 'there',
    }))
    .sort((a, b) => Number(b.how === 'same') - Number(a.how === 'same'))

/** Records a command's new shortcut as its keys are pressed, and names conflicts at once. */
export function KeyDialog({
  id,
  own,
  onClose,
  onSave,
}: {
  id: CommandId
  own: OwnKeys
  onClose: () => void
  onSave: (keys: string) => void
}) {
  const [pressed, setPressed] = useState<readonly string[]>([])
  const keys = pressed.join(' ')
  const clash = keys ? clashesOf(own, id, keys) : []
  const taken = pressed.map(ownedBy).find(Boolean) ?? null
  const hear = (event: KeyboardEvent) => {
    // Tab, Escape and Enter keep their meaning in the dialog.
    if (event.key === 'Tab' || event.key === 'Escape') return
    if (event.key === 'Enter' && pressed.length) {
      event.preventDefault()
      event.currentTarget.closest('[role=dialog]')?.querySelector<HTMLElement>('[data-dialog-footer] button:last-child')?.focus()
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
      description="Press the keys, one after another for a sequence. Backspace removes the last one."
      initialFocus="[data-keys]"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={() => onSave('')}>No shortcut</Button>
          <Button
            variant="primary"
            reason={taken ?? (pressed.length ? null : 'press the keys first')}
            onClick={() => onSave(keys)}
          >
            {clash.length ? 'Use them anyway' : 'Use these keys'}
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
        onKeyDown={hear}
        className={cx(
          'h-12 w-full rounded-md border bg-surface text-center font-mono text-title',
          clash.length || taken ? 'border-amber' : 'border-control',
        )}
      />
      <div id="key-clash" role="status" className="mt-2 min-h-10 text-meta">
        {/* What was pressed comes first, so that each further key is heard. */}
        {keys && <p className="sr-only">{pressed.map((token) => shownAs(token, isMac)).join(' ')}.</p>}
        {taken && <p className="text-amber-ink">This can’t be used: {taken}.</p>}
        {clash.slice(0, SHOWN).map(({ keys: other, title, place, how }) => (
          <p key={`${other} ${title}`} className="text-amber-ink">
            {COMES_TO[how]} <Kbd keys={shownAs(other, isMac)} /> “{title}” {place}.
          </p>
        ))}
        {clash.length > SHOWN && <p className="text-amber-ink">And {clash.length - SHOWN} more.</p>}
        {clash.some(({ how }) => how === 'begins') && !clash.some(({ how }) => how === 'same') && (
          <p className="text-amber-ink">It runs if no other key follows within a second.</p>
        )}
        {keys && !clash.length && !taken && <p className="text-green-ink">Nothing else uses these keys.</p>}
      </div>
    </Dialog>
  )
}
