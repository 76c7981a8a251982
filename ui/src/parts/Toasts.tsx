import { Icon } from './Icon.tsx';
import { closeToast, useToasts } from './toast.ts';

export function Toasts() {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, family, text, detail }) => (
        <div key={id} className={`toast f-${family}`}>
          <span className="ct mt-0.5">
            <Icon name={family === 'fail' ? 'warn' : 'done'} />
          </span>
          <div className="min-w-0 flex-1">
            <div className="font-medium">{text}</div>
            {detail !== undefined && <div className="t2 break-words">{detail}</div>}
          </div>
          <button
            type="button"
            className="btn quiet icon -mt-1 -mr-1"
            aria-label="Close"
            onClick={() => closeToast(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
