/** The zone tables that the server schedules by, for the screens that compute with time. */
import { findZone } from 'carillon/spec';
import { bringZones } from './zone.ts';

bringZones(findZone);
