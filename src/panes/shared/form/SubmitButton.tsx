import { type ComponentProps, useRef } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { MainAction } from '../../../workspace/MainAction.tsx'

/** Submits a small form: at its end, or on a phone in the bar within thumb reach. */
export function SubmitButton({ children, ...rest }: Omit<ComponentProps<typeof Button>, 'type' | 'variant' | 'onClick'>) {
  const place = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={place} hidden />
      <MainAction>
        <Button
          {...rest}
          type="submit"
          variant="primary"
          onClick={({ currentTarget }) => {
            const form = place.current?.closest('form')
            // The phone's bar is outside the form element.
            if (form && !form.contains(currentTarget)) form.requestSubmit()
          }}
        >
          {children}
        </Button>
      </MainAction>
    </>
  )
}
