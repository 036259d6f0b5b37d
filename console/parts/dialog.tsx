import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/**
 * A dialog over the page, open as long as it is there. Escape asks to close it, and does nothing while `isBusy`. The element
 * that had the focus before has it again afterwards.
 */
export function Dialog(props: { title: string; isBusy?: boolean; onClose: () => void; children: ComponentChildren }) {
  const { title, isBusy = false, onClose, children } = props;
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      aria-labelledby={id}
      aria-busy={isBusy}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      onKeyDown={(event) => {
        // A browser closes it at the second Escape without asking.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        if (!isBusy) onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
