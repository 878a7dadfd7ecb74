/* SPDX-License-Identifier: Apache-2.0 */
/* The service functions for modules and clients. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_SERVICES_H
#define VIGIL_ENGINE_MODULES_MODULE_SERVICES_H

#include "engine/modules/opened-data.h"

extern const struct vigil_services module_services;

#endif
