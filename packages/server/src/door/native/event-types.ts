/** The types of events that a stream sends. */
import { eventTypes } from 'carillon/internal/service';

/** The event types that a reader may ask for. Other types are refused, because their reader would wait for ever. */
export const streamedTypes = [...eventTypes, 'changed'] as const;
