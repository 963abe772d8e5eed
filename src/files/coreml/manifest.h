/* The Manifest.json of a package, the same for all: a model and its weights. */
#ifndef FILES_COREML_MANIFEST_H
#define FILES_COREML_MANIFEST_H

/* The identifiers are any two that differ. */
static const char manifest[] =
    "{\n"
    "    \"fileFormatVersion\": \"1.0.0\",\n"
    "    \"itemInfoEntries\": {\n"
    "        \"6F1B4E6C-0A55-4B0E-9C7D-5D2C1E8A7F01\": {\n"
    "            \"author\": \"com.apple.CoreML\",\n"
    "            \"description\": \"CoreML Model Specification\",\n"
    "            \"name\": \"model.mlmodel\",\n"
    "            \"path\": \"com.apple.CoreML/model.mlmodel\"\n"
    "        },\n"
    "        \"6F1B4E6C-0A55-4B0E-9C7D-5D2C1E8A7F02\": {\n"
    "            \"author\": \"com.apple.CoreML\",\n"
    "            \"description\": \"CoreML Model Weights\",\n"
    "            \"name\": \"weights\",\n"
    "            \"path\": \"com.apple.CoreML/weights\"\n"
    "        }\n"
    "    },\n"
    "    \"rootModelIdentifier\": \"6F1B4E6C-0A55-4B0E-9C7D-5D2C1E8A7F01\"\n"
    "}\n";

#endif
